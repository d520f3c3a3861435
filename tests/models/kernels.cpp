// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel beside its eager oracle: LibTorch's plain operations with autograd, in double precision where the kernel is fp32.

#include <cmath>
#include <iterator>
#include <string>
#include <tuple>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/nn/kernels/dropout.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/kernels/norm.h"
#include "models/nn/kernels/vector_loops.h"
#include "models/oracle.h"
#include "support/allocation_peak.h"

namespace trainyard::models {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;

const Initialiser kNormal{Initialiser::Kind::normal, 0.5};

using test::distance;
using test::leaf;

class Kernels : public ::testing::TestWithParam<std::tuple<at::ScalarType, InstructionSet>> {
  protected:
    static at::ScalarType type() { return std::get<0>(GetParam()); }
    test::OnInstructionSet instruction_set_;
    Parameter weight_{"w", {6, 10}, kNormal};
    Parameter bias_{"b", {10}, kNormal};
    Parameter scale_{"s", {6}, kNormal};
    Parameter shift_{"t", {6}, kNormal};
    Parameter table_{"e", {11, 6}, kNormal};
    Parameter positions_{"p", {8, 6}, kNormal};
    FlatArena arena_{{{"g", {&weight_, &bias_, &scale_, &shift_, &table_, &positions_}}}, type(), at::kCPU, false};
    double tolerance_ = type() == at::kFloat ? 1e-5 : 2e-2;
    at::Tensor x_ = at::randn({3, 5, 6});

    void SetUp() override {
        instruction_set_.use(std::get<1>(GetParam()));
        arena_.initialise(3);
    }
};

TEST_P(Kernels, LinearEqualsTheFormula) {
    at::Tensor x = leaf(x_, at::kFloat), y = linear(x, weight_, &bias_);
    EXPECT_EQ(y.scalar_type(), type());
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy.to(y.scalar_type()));
    at::Tensor xd = leaf(x_, at::kDouble), wd = leaf(weight_.value(), at::kDouble),
               bd = leaf(bias_.value(), at::kDouble);
    at::Tensor yd = at::matmul(xd, wd).add(bd);
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), tolerance_);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
    EXPECT_LT(distance(weight_.gradient(), wd.grad()), tolerance_);
    EXPECT_LT(distance(bias_.gradient(), bd.grad()), tolerance_);
}

TEST_P(Kernels, LayerNormEqualsTheFormula) {
    at::Tensor x = leaf(x_, at::kFloat), y = normed_stream(x, {}, scale_, &shift_, 1e-5).normed;
    EXPECT_EQ(y.scalar_type(), type());
    at::Tensor dy = at::randn(y.sizes()).to(type());
    y.backward(dy);
    at::Tensor xd = leaf(x_, at::kDouble), sd = leaf(scale_.value(), at::kDouble),
               td = leaf(shift_.value(), at::kDouble);
    at::Tensor yd = at::layer_norm(xd, {6}, sd, td, 1e-5);
    yd.backward(dy.to(at::kDouble));
    // Only the result is rounded; what is made of its gradient is fp32.
    EXPECT_LT(distance(y, yd.detach()), tolerance_);
    EXPECT_LT(distance(x.grad(), xd.grad()), 1e-5);
    EXPECT_LT(distance(scale_.gradient(), sd.grad()), 1e-5);
    EXPECT_LT(distance(shift_.gradient(), td.grad()), 1e-5);
}

TEST_P(Kernels, AStreamIsNormedWithItsBranchAndGoesOn) {
    // More rows than one block of sums, and gradients along both ways of the stream.
    at::Tensor start = at::randn({7, 30, 6}), branch_start = at::randn({7, 30, 6}).to(type());
    at::Tensor dstream = at::randn(start.sizes()), dnormed = at::randn(start.sizes()).to(type());
    for (bool has_branch : {false, true}) {
        SCOPED_TRACE(has_branch);
        arena_.forget_gradients();
        at::Tensor x = leaf(start, at::kFloat), branch = leaf(branch_start, type());
        NormedStream result = normed_stream(x, has_branch ? branch : at::Tensor(), scale_, &shift_, 1e-5);
        EXPECT_EQ(result.stream.scalar_type(), at::kFloat);
        at::Tensor root = result.stream.mul(dstream).sum().add(result.normed.mul(dnormed).to(at::kFloat).sum());
        root.backward();
        at::Tensor xd = leaf(start, at::kDouble), bd = leaf(branch_start, at::kDouble),
                   sd = leaf(scale_.value(), at::kDouble), td = leaf(shift_.value(), at::kDouble);
        at::Tensor stream = has_branch ? xd.add(bd) : xd, normed = at::layer_norm(stream, {6}, sd, td, 1e-5);
        stream.mul(dstream.to(at::kDouble)).sum().add(normed.mul(dnormed.to(at::kDouble)).sum()).backward();
        EXPECT_LT(distance(result.stream, stream.detach()), 1e-6);
        EXPECT_LT(distance(result.normed, normed.detach()), tolerance_);
        EXPECT_LT(distance(x.grad(), xd.grad()), 1e-5);
        EXPECT_LT(distance(scale_.gradient(), sd.grad()), 1e-5);
        EXPECT_LT(distance(shift_.gradient(), td.grad()), 1e-5);
        if (has_branch) {
            EXPECT_LT(distance(branch.grad(), bd.grad()), tolerance_);
        }
    }
}

TEST_P(Kernels, BranchesAreAddedToTheStream) {
    at::Tensor x = leaf(x_, at::kFloat), branch = leaf(at::randn(x_.sizes()), type());
    at::Tensor sum = add_branch(x, branch), dsum = at::randn(x_.sizes());
    sum.backward(dsum);
    EXPECT_EQ(sum.scalar_type(), at::kFloat);
    EXPECT_LT(distance(sum, x_.add(branch.detach().to(at::kFloat))), 1e-7);
    EXPECT_LT(distance(x.grad(), dsum), 1e-7);
    EXPECT_EQ(branch.grad().scalar_type(), type());
    EXPECT_LT(distance(branch.grad(), dsum), tolerance_);
}

TEST_P(Kernels, WeightGradientsAddUp) {
    // More rows than are taken together, an odd number; blocks and panels with something over.
    Parameter weight("w", {194, 80}, kNormal), bias("b", {80}, kNormal);
    FlatArena arena({{"g", {&weight, &bias}}}, type(), at::kCPU, false);
    arena.initialise(5);
    at::Tensor x = leaf(at::randn({3, 345, 194}), type()), dy = at::randn({3, 345, 80}).to(type());
    at::Tensor rows = x.detach().to(at::kDouble).view({-1, 194});
    at::Tensor expected = at::matmul(rows.t(), dy.to(at::kDouble).view({-1, 80}));
    for (int contribution = 1; contribution <= 2; ++contribution) {
        linear(x, weight, &bias).backward(dy);
        EXPECT_LT(distance(weight.gradient(), expected.mul(contribution)), tolerance_ / 5) << contribution;
    }
}

TEST_P(Kernels, BiasGradientsAreTheColumnSums) {
    // Wider than a strip of columns, longer than a block of rows, neither a whole number of them.
    Parameter weight("w", {3, 301}, kNormal), bias("b", {301}, kNormal);
    FlatArena arena({{"g", {&weight, &bias}}}, type(), at::kCPU, false);
    arena.initialise(5);
    at::Tensor x = leaf(at::randn({2, 91, 3}), type());
    at::Tensor dy = at::randn({2, 91, 301}).to(type());
    for (int contribution = 1; contribution <= 2; ++contribution) {
        linear(x, weight, &bias).backward(dy);
        at::Tensor expected = dy.to(at::kDouble).sum(at::IntArrayRef{0, 1}).mul(contribution);
        EXPECT_LT(distance(bias.gradient(), expected), 1e-5) << contribution;
    }
}

TEST_P(Kernels, GeluEqualsTheFormula) {
    at::Tensor wide = at::randn({4, 1001}).mul(4);
    wide.select(0, 0).mul_(10);
    at::Tensor x = leaf(wide.to(type()), type()), y = gelu_tanh(x);
    at::Tensor dy = at::randn(y.sizes()).to(type());
    y.backward(dy);
    at::Tensor xd = leaf(x, at::kDouble), yd = at::gelu(xd, "tanh");
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), tolerance_);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
}

TEST_P(Kernels, EmbeddingAddsUpRepeatedTokens) {
    at::Tensor tokens = at::randint(0, 11, {3, 5}, at::kLong);
    at::Tensor y = embed(tokens, table_, positions_);
    at::Tensor dy = at::randn(y.sizes());
    y.backward(dy);
    at::Tensor td = leaf(table_.value(), at::kDouble), pd = leaf(positions_.value(), at::kDouble);
    at::Tensor yd = at::embedding(td, tokens).add(pd.narrow(0, 0, 5));
    yd.backward(dy.to(at::kDouble));
    EXPECT_LT(distance(y, yd.detach()), 1e-6);
    EXPECT_LT(distance(table_.gradient(), td.grad()), 1e-6);
    EXPECT_LT(distance(positions_.gradient(), pd.grad()), 1e-6);
}

TEST_P(Kernels, LossEqualsCrossEntropyOfShiftedLabels) {
    at::Tensor labels = at::randint(0, 11, {3, 5}, at::kLong);
    labels[1][3] = kIgnoredLabel;
    double scale = 0.25;
    at::Tensor sum = at::zeros({}, at::kDouble);
    at::Tensor x = leaf(x_, at::kFloat);
    at::Tensor loss = next_token_loss(x, table_, labels, scale, sum);
    loss.backward();
    at::Tensor xd = leaf(x_, at::kDouble), td = leaf(table_.value(), at::kDouble);
    at::Tensor logits = at::matmul(xd, td.t()).narrow(1, 0, 4).reshape({-1, 11});
    at::Tensor expected = at::cross_entropy_loss(logits, labels.narrow(1, 1, 4).reshape({-1}), {}, 2, kIgnoredLabel);
    expected.mul(scale).backward();
    EXPECT_NEAR(sum.item<double>(), expected.item<double>(), tolerance_ * 20);
    EXPECT_NEAR(loss.item<double>(), scale * expected.item<double>(), tolerance_ * 10);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance_);
    EXPECT_LT(distance(table_.gradient(), td.grad()), tolerance_);
}

INSTANTIATE_TEST_SUITE_P(Types, Kernels,
                         ::testing::Combine(::testing::Values(at::kFloat, at::kBFloat16, at::kHalf),
                                            ::testing::ValuesIn(kInstructionSets)),
                         [](const auto& tested) {
                             return std::string(c10::toString(std::get<0>(tested.param))) + "_" +
                                    to_string(std::get<1>(tested.param));
                         });

/// One measurement of the loss beside the formula in double precision.
struct LossCase {
    std::int64_t rows, vocabulary, width;
    at::ScalarType type;
};

class ChunkedLoss : public ::testing::TestWithParam<std::tuple<LossCase, InstructionSet>> {
  protected:
    test::OnInstructionSet instruction_set_;
    void SetUp() override { instruction_set_.use(std::get<1>(GetParam())); }
};

TEST_P(ChunkedLoss, EqualsTheFormulaAndNeedsLittleMemory) {
    auto [rows, vocabulary, width, type] = std::get<0>(GetParam());
    parallel::Parameter table("table", {vocabulary, width}, {Initialiser::Kind::normal, 0.2});
    FlatArena arena({{"head", {&table}}}, type, at::kCPU, false);
    arena.initialise(7);
    at::Tensor hidden = at::randn({2, rows, width}), labels = at::randint(0, vocabulary, {2, rows}, at::kLong);
    labels.select(1, 3).fill_(kIgnoredLabel);
    at::Tensor x = leaf(hidden, at::kFloat), sum = at::zeros({}, at::kDouble);
    double scale = 1.0 / static_cast<double>(rows);

    test::AllocationPeak peak;
    next_token_loss(x, table, labels, scale, sum).backward();
    // A quarter of one buffer of all logits (8 MB where they fit into the caches), and what any layer needs: hidden
    // states and their gradients in two types, a slice of the weight's gradient, what is packed of the table for its
    // products, and 2 MiB for scratch memory of oneDNN, which depends on the caches of the processor.
    auto logits = static_cast<std::uint64_t>(2 * rows * vocabulary) * c10::elementSize(type);
    std::uint64_t states = 6 * 2 * static_cast<std::uint64_t>(rows * width) * 4;
    std::uint64_t packed = std::min<std::uint64_t>(4u << 20, static_cast<std::uint64_t>(vocabulary * width) * 4);
    EXPECT_LT(peak.bytes(), std::max<std::uint64_t>(8u << 20, logits / 4) + states + packed + (2u << 20));

    at::Tensor xd = leaf(hidden, at::kDouble), td = leaf(table.value(), at::kDouble);
    at::Tensor all = at::matmul(xd, td.t()).narrow(1, 0, rows - 1).reshape({-1, vocabulary});
    at::Tensor expected =
        at::cross_entropy_loss(all, labels.narrow(1, 1, rows - 1).reshape({-1}), {}, 2, kIgnoredLabel);
    expected.mul(scale).backward();
    double tolerance = type == at::kFloat ? 1e-5 : 2e-2;
    EXPECT_NEAR(sum.item<double>() / expected.item<double>(), 1.0, tolerance);
    EXPECT_LT(distance(x.grad(), xd.grad()), tolerance);
    EXPECT_LT(distance(table.gradient(), td.grad()), tolerance);
    at::NoGradGuard no_grad;
    at::Tensor again = at::zeros({}, at::kDouble);
    next_token_loss(x.detach(), table, labels, scale, again);
    EXPECT_NEAR(again.item<double>() / sum.item<double>(), 1.0, 1e-6) << "without gradients";
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ChunkedLoss,
    ::testing::Combine(::testing::Values(LossCase{250, 20011, 16, at::kFloat}, LossCase{300, 24007, 16, at::kBFloat16},
                                         LossCase{130, 4099, 24, at::kBFloat16}, LossCase{40, 300, 8, at::kHalf},
                                         LossCase{130, 4099, 24, at::kHalf}),
                       ::testing::ValuesIn(kInstructionSets)),
    [](const auto& tested) {
        const LossCase& loss = std::get<0>(tested.param);
        return std::string(c10::toString(loss.type)) + std::to_string(loss.vocabulary) + "_" +
               to_string(std::get<1>(tested.param));
    });

class VectorLoopsOf : public ::testing::TestWithParam<InstructionSet> {
  protected:
    test::OnInstructionSet instruction_set_;
    void SetUp() override { instruction_set_.use(GetParam()); }
};

TEST_P(VectorLoopsOf, WideningGivesEveryNumberOfTheFormat) {
    constexpr std::int64_t kAll = 1 << 16;
    at::Tensor patterns = at::arange(kAll, at::kInt).to(at::kShort);  // wraps to all 16-bit patterns
    for (at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        SCOPED_TRACE(c10::toString(type));
        at::Tensor numbers = patterns.view(type), wide = at::empty({kAll});
        vector_loops().half(format_of(type)).widen(bits(numbers), wide.data_ptr<float>(), kAll);
        at::Tensor expected = numbers.to(at::kFloat), both_nan = expected.isnan().logical_and(wide.isnan());
        EXPECT_TRUE(expected.eq(wide).logical_or(both_nan).all().item<bool>());
    }
}

TEST_P(VectorLoopsOf, NarrowingRoundsToTheNearestEvenAndKeepsNan) {
    constexpr std::int64_t kCount = 40'003;
    for (at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        SCOPED_TRACE(c10::toString(type));
        // From far below the smallest number of fp16 to far beyond its largest.
        at::Tensor x = at::randn({kCount}).mul(at::randn({kCount}).mul(6).exp());
        const float special[] = {NAN,      INFINITY, -INFINITY,   1.00390625F,     1.01171875F, 65504.0F,
                                 65519.9F, 65520.0F, -65536.0F,   6.0e-8F,         2.98e-8F,    2.99e-8F,
                                 0.0F,     -0.0F,    6.1035e-05F, 6.09755516e-05F, 1.0004883F,  1.0014648F};
        for (std::size_t i = 0; i < std::size(special); ++i) {
            x[static_cast<std::int64_t>(i)] = special[i];
            x[kCount - 1 - static_cast<std::int64_t>(i)] = special[i];  // where no whole register is left
        }
        at::Tensor narrowed = at::empty({kCount}, type), expected = x.to(type);
        vector_loops().half(format_of(type)).narrow(x.const_data_ptr<float>(), bits_to_write(narrowed), kCount);
        at::Tensor both_nan = expected.isnan().logical_and(narrowed.isnan());
        EXPECT_TRUE(expected.eq(narrowed).logical_or(both_nan).all().item<bool>());
        EXPECT_TRUE(both_nan[0].item<bool>());
    }
}

TEST_P(VectorLoopsOf, GeluIsFiniteAndTheFormulasForAnyNumber) {
    at::Tensor x =
        at::cat({at::linspace(-120, 120, 4'003), at::logspace(-44, 30, 500), at::logspace(-44, 30, 500).neg()});
    at::Tensor y = at::empty_like(x), dy = at::ones_like(x), dx = at::empty_like(x), xd = leaf(x, at::kDouble);
    at::Tensor yd = at::gelu(xd, "tanh");
    yd.sum().backward();
    vector_loops().gelu_forward(x.const_data_ptr<float>(), y.data_ptr<float>(), x.numel());
    vector_loops().gelu_backward(x.const_data_ptr<float>(), dy.const_data_ptr<float>(), dx.data_ptr<float>(),
                                 x.numel());
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    EXPECT_LT(y.to(at::kDouble).sub(yd.detach()).div(x.abs().to(at::kDouble).clamp_min(1)).abs().max().item<double>(),
              1e-6);
    EXPECT_LT(dx.to(at::kDouble).sub(xd.grad()).abs().max().item<double>(), 1e-5);
}

TEST_P(VectorLoopsOf, AdamwTakesSubnormalAveragesForZero) {
    constexpr std::int64_t kCount = 1'003;
    at::Tensor value = at::randn({kCount}), gradient = at::zeros({kCount}), average = at::full({kCount}, 1e-39F),
               square = at::full({kCount}, 1e-41F);
    average[7] = 1.0F;
    at::Tensor before = value.clone();
    AdamwStep step{.gradient_factor = 1,
                   .fresh_1 = 0.125F,
                   .beta2 = 0.5F,
                   .fresh_2 = 0.5F,
                   .kept = 1,
                   .rate = 0.25F,
                   .inverse_root = 1,
                   .epsilon = 1};
    vector_loops().adamw(step, value.data_ptr<float>(), gradient.const_data_ptr<float>(), average.data_ptr<float>(),
                         square.data_ptr<float>(), nullptr, NumberFormat::fp32, kCount);
    EXPECT_EQ(average[7].item<float>(), 0.875F);
    EXPECT_FLOAT_EQ(value[7].item<float>(), before[7].item<float>() - 0.25F * 0.875F);
#ifdef __SSE2__
    EXPECT_EQ(average.count_nonzero().item<std::int64_t>(), 1);
    EXPECT_EQ(square.count_nonzero().item<std::int64_t>(), 0);
#endif
    EXPECT_EQ(value.ne(before).sum().item<std::int64_t>(), 1);
    // Only in the loop: the thread computes with subnormal numbers again.
    volatile float tiny = 1e-39F;
    EXPECT_GT(tiny * 0.5F, 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Sets, VectorLoopsOf, ::testing::ValuesIn(kInstructionSets),
                         [](const auto& tested) { return to_string(tested.param); });

TEST(Dropout, IsTheSameOnEveryLayout) {
    at::Tensor x = at::ones({4, 7, 9});
    DropoutKey key{5, 11, 2, 0};
    at::Tensor whole = counter_dropout(x, key, 0.3);
    DropoutKey second = key;
    second.first_sample = 2;
    EXPECT_TRUE(at::equal(whole.narrow(0, 2, 2), counter_dropout(x.narrow(0, 2, 2), second, 0.3)));
    EXPECT_NEAR(whole.eq(0).to(at::kFloat).mean().item<float>(), 0.3, 0.1);
    EXPECT_NEAR(whole.mean().item<float>(), 1.0, 0.15);
    EXPECT_FALSE(at::equal(whole, counter_dropout(x, {5, 12, 2, 0}, 0.3))) << "another step draws other numbers";
    EXPECT_TRUE(at::equal(x, counter_dropout(x, key, 0.0)));
}

}  // namespace
}  // namespace trainyard::models
