// SPDX-License-Identifier: GPL-3.0-or-later
// Layers as objects beside the formulas of LibTorch in double precision: every kernel of every kind, with and without a bias, in every number format and on
// every instruction set. What GPT-2 computes with them is compared with transformers in golden_gpt2_options.cpp.

#include "models/nn/modules/modules.h"

#include <cmath>
#include <list>
#include <stdexcept>

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/softmax.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/products.h"
#include "models/oracle.h"

namespace trainyard::models {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;
using test::distance;
using test::leaf;

class Modules : public ::testing::TestWithParam<std::tuple<at::ScalarType, InstructionSet>> {
  protected:
    static at::ScalarType type() { return std::get<0>(GetParam()); }
    void SetUp() override { instruction_set_.use(std::get<1>(GetParam())); }

    ModuleBuilder builder() {
        return {plan_, [this](std::string name, std::vector<std::int64_t> shape, Initialiser) -> Parameter& {
                    // Zeros and ones would hide what is left out.
                    return parameters_.emplace_back(std::move(name), std::move(shape),
                                                    Initialiser{Initialiser::Kind::normal, 0.5});
                }};
    }
    void lay_out() {
        std::vector<Parameter*> all;
        for (Parameter& parameter : parameters_)
            all.push_back(&parameter);
        arena_ = std::make_unique<FlatArena>(std::vector<parallel::GroupRequest>{{"g", all}}, type(), at::kCPU, false);
        arena_->initialise(3);
    }
    Parameter& parameter(const std::string& name) {
        for (Parameter& each : parameters_)
            if (each.name() == name)
                return each;
        throw std::runtime_error("no parameter " + name);
    }

    test::OnInstructionSet instruction_set_;
    ModulePlan plan_{{{"in_out", "conv1d"},
                      {"out_in", "linear"},
                      {"side_?", "linear"},
                      {"table", "table"},
                      {"norm", "layer_norm"},
                      {"rms", "rms_norm"},
                      {"fused", "fused"},
                      {"eager", "eager"}}};
    std::list<Parameter> parameters_;
    std::unique_ptr<FlatArena> arena_;
    double tolerance_ = type() == at::kFloat ? 1e-5 : 2e-2;
};

TEST_P(Modules, LinearInBothLayoutsWithAndWithoutABias) {
    for (const char* name : {"in_out", "out_in"})
        for (bool bias : {true, false}) {
            SCOPED_TRACE(std::string(name) + (bias ? " with bias" : " without bias"));
            parameters_.clear();
            Linear linear = builder().linear(name, 34, 48, 0.5, bias);
            ASSERT_EQ(parameters_.size(), bias ? 2u : 1u);
            lay_out();
            Parameter& weight = parameter(std::string(name) + ".weight");
            const bool turned = name == std::string("out_in");
            EXPECT_EQ(weight.shape(), (turned ? std::vector<std::int64_t>{48, 34} : std::vector<std::int64_t>{34, 48}));
            at::Tensor start = at::randn({3, 7, 34}), dy = at::randn({3, 7, 48}).to(type());
            at::Tensor wd = leaf(weight.value(), at::kDouble), xd = leaf(start, at::kDouble);
            at::Tensor bd = bias ? leaf(parameter(std::string(name) + ".bias").value(), at::kDouble) : at::Tensor();
            at::Tensor yd = at::matmul(xd, turned ? wd.t() : wd);
            if (bias)
                yd = yd.add(bd);
            yd.backward(dy.to(at::kDouble));
            for (int contribution = 1; contribution <= 2; ++contribution) {
                at::Tensor x = leaf(start, at::kFloat), y = linear(x);
                EXPECT_EQ(y.scalar_type(), type());
                y.backward(dy);
                EXPECT_LT(distance(y, yd.detach()), tolerance_);
                EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
                EXPECT_LT(distance(weight.gradient(), wd.grad().mul(contribution)), tolerance_);
                if (bias) {
                    EXPECT_LT(distance(parameter(std::string(name) + ".bias").gradient(), bd.grad().mul(contribution)),
                              tolerance_);
                }
            }
        }
}

TEST_P(Modules, ThreeLinearsSideBySideEqualEachOfThem) {
    for (bool bias : {true, false}) {
        SCOPED_TRACE(bias);
        parameters_.clear();
        std::vector<Linear> three;
        for (int i = 0; i < 3; ++i)
            three.push_back(builder().linear("side_" + std::to_string(i), 34, 48 - 16 * (i / 2), 0.5, bias));
        lay_out();
        at::Tensor start = at::randn({3, 7, 34}), dy = at::randn({3, 7, 48 + 48 + 32}).to(type());
        at::Tensor x = leaf(start, at::kFloat), each = leaf(start, at::kFloat);
        at::Tensor y = at::cat({three[0](each), three[1](each), three[2](each)}, -1);
        y.backward(dy);
        std::vector<at::Tensor> gradients;
        for (Parameter& parameter : parameters_)
            gradients.push_back(parameter.gradient().clone());
        for (int contribution = 1; contribution <= 2; ++contribution) {
            if (contribution == 1)
                arena_->forget_gradients();
            at::Tensor together = Linear::side_by_side(x, {&three[0], &three[1], &three[2]});
            EXPECT_EQ(together.scalar_type(), type());
            EXPECT_LT(distance(together, y.detach()), 1e-6);
            together.backward(dy);
            EXPECT_LT(distance(x.grad(), each.grad().mul(contribution)), tolerance_);
            std::size_t at = 0;
            for (Parameter& parameter : parameters_)
                EXPECT_LT(distance(parameter.gradient(), gradients.at(at++).mul(contribution)), 1e-5)
                    << parameter.name();
        }
        const InUse scope;
        EXPECT_LT(distance(Linear::side_by_side(start, {&three[0], &three[1], &three[2]}), y.detach()), tolerance_);
    }
}

TEST_P(Modules, AnEmbeddingAloneAddsUpRepeatedTokens) {
    Embedding embedding = builder().embedding("table", 11, 6, 0.5);
    lay_out();
    at::Tensor ids = at::randint(0, 11, {3, 9}, at::kLong), y = embedding(ids), dy = at::randn({3, 9, 6});
    EXPECT_EQ(y.scalar_type(), at::kFloat);
    y.backward(dy);
    at::Tensor td = leaf(embedding.table().value(), at::kDouble), yd = at::embedding(td, ids);
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 1e-6);
    EXPECT_LT(distance(embedding.table().gradient(), td.grad()), 1e-6);
}

/// Gradients along both ways of the stream, with and without a branch.
template <class Norm, class Formula>
void expect_norm(const Norm& norm, at::ScalarType type, double tolerance, Parameter& weight, FlatArena& arena,
                 Formula formula) {
    at::Tensor start = at::randn({7, 30, 6}), branch_start = at::randn({7, 30, 6}).to(type);
    at::Tensor dstream = at::randn(start.sizes()), dnormed = at::randn(start.sizes()).to(type);
    for (bool has_branch : {false, true}) {
        SCOPED_TRACE(has_branch);
        arena.forget_gradients();
        at::Tensor x = leaf(start, at::kFloat), branch = leaf(branch_start, type);
        NormedStream result = norm(x, has_branch ? branch : at::Tensor());
        EXPECT_EQ(result.normed.scalar_type(), type);
        result.stream.mul(dstream).sum().add(result.normed.mul(dnormed).to(at::kFloat).sum()).backward();
        at::Tensor xd = leaf(start, at::kDouble), bd = leaf(branch_start, at::kDouble),
                   wd = leaf(weight.value(), at::kDouble);
        at::Tensor stream = has_branch ? xd.add(bd) : xd, normed = formula(stream, wd);
        stream.mul(dstream.to(at::kDouble)).sum().add(normed.mul(dnormed.to(at::kDouble)).sum()).backward();
        EXPECT_LT(distance(result.stream, stream.detach()), 1e-6);
        EXPECT_LT(distance(result.normed, normed.detach()), tolerance);
        EXPECT_LT(distance(x.grad(), xd.grad()), 1e-5);
        EXPECT_LT(distance(weight.gradient(), wd.grad()), 1e-5);
        if (has_branch) {
            EXPECT_LT(distance(branch.grad(), bd.grad()), tolerance);
        }
    }
}

TEST_P(Modules, ALayerNormNeedsNoBias) {
    LayerNorm norm = builder().layer_norm("norm", 6, 1e-5, false);
    ASSERT_EQ(parameters_.size(), 1u);
    lay_out();
    expect_norm(norm, type(), tolerance_, parameter("norm.weight"), *arena_,
                [](const at::Tensor& x, const at::Tensor& w) { return at::layer_norm(x, {6}, w, {}, 1e-5); });
}

TEST_P(Modules, RmsNormEqualsTheFormula) {
    RmsNorm norm = builder().rms_norm("rms", 6, 1e-3);
    lay_out();
    expect_norm(norm, type(), tolerance_, parameter("rms.weight"), *arena_,
                [](const at::Tensor& x, const at::Tensor& w) {
                    return x.mul(at::rsqrt(x.square().mean(at::IntArrayRef{-1}, true).add(1e-3))).mul(w);
                });
}

TEST_P(Modules, AttentionHasAScaleOfItsOwnInEveryKernel) {
    constexpr std::int64_t kHeads = 3, kHeadWidth = 16, kSeq = 70;
    at::Tensor start = at::randn({2, kSeq, 3 * kHeads * kHeadWidth}).to(type());
    at::Tensor dy = at::randn({2, kSeq, kHeads * kHeadWidth}).to(type());
    for (const char* name : {"fused", "eager"})
        for (double scale : {0.0, 0.07, 0.6})
            for (bool fp32_scores : {false, true}) {
                SCOPED_TRACE(std::string(name) + " " + std::to_string(scale) + (fp32_scores ? " fp32 scores" : ""));
                CausalAttention attention = builder().attention(name, kHeads, scale, fp32_scores);
                at::Tensor x = leaf(start, type()), y = attention(x, {});
                y.backward(dy);
                at::Tensor xd = leaf(start, at::kDouble);
                at::Tensor parts = xd.view({2, kSeq, 3, kHeads, kHeadWidth}).permute({2, 0, 3, 1, 4});
                at::Tensor scores = at::matmul(parts[0], parts[1].transpose(-2, -1)).mul(scale == 0 ? 0.25 : scale);
                scores = scores.masked_fill(at::ones({kSeq, kSeq}, at::kBool).tril().logical_not(), -1e300);
                at::Tensor yd = at::matmul(at::softmax(scores, -1), parts[2]).transpose(1, 2).reshape(dy.sizes());
                yd.backward(dy.to(at::kDouble));
                // Probabilities, and in the plain formula the scores, are rounded to the format.
                const double tolerance = type() == at::kFloat ? 2e-5 : type() == at::kHalf ? 2e-2 : 1e-1;
                EXPECT_LT(distance(y, yd.detach()), tolerance);
                EXPECT_LT(distance(x.grad(), xd.grad()), tolerance);
            }
}

INSTANTIATE_TEST_SUITE_P(Types, Modules,
                         ::testing::Combine(::testing::Values(at::kFloat, at::kBFloat16, at::kHalf),
                                            ::testing::ValuesIn(kInstructionSets)),
                         [](const auto& tested) {
                             return std::string(c10::toString(std::get<0>(tested.param))) + "_" +
                                    to_string(std::get<1>(tested.param));
                         });

TEST(ModulePlan, TheFirstRowThatFitsCounts) {
    const ModulePlan plan{{{"*.c_attn", "linear"}, {"h.*", "conv1d"}}};
    EXPECT_EQ(plan.choice("h.0.attn.c_attn").kernel, "linear");
    EXPECT_EQ(plan.choice("h.0.mlp.c_fc").kernel, "conv1d");
    EXPECT_THROW(plan.choice("lm_head"), std::invalid_argument);
}

TEST(ModulePlan, AKernelOfAnotherKindIsRefused) {
    const ModulePlan plan{{{"*", "rms_norm"}}};
    std::list<Parameter> parameters;
    ModuleBuilder builder(plan,
                          [&](std::string name, std::vector<std::int64_t> shape, Initialiser start) -> Parameter& {
                              return parameters.emplace_back(std::move(name), std::move(shape), start);
                          });
    EXPECT_THROW(builder.linear("c_fc", 2, 2, 0.1), std::invalid_argument);
    EXPECT_THROW(builder.layer_norm("ln", 2, 1e-5), std::invalid_argument);
    EXPECT_THROW(builder.attention("attn", 1, 0, false), std::invalid_argument);
    EXPECT_NO_THROW(builder.rms_norm("norm", 2, 1e-5));
    EXPECT_EQ(parameters.size(), 1u);
}

}  // namespace
}  // namespace trainyard::models
