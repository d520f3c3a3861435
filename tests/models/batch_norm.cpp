// SPDX-License-Identifier: GPL-3.0-or-later
// Batch norm with residual and ReLU beside LibTorch's plain operations in double precision, on every instruction set.

#include "models/nn/kernels/batch_norm.h"

#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/oracle.h"

namespace trainyard::models {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;
using parallel::Parameter;
using test::distance;
using test::leaf;

struct Shape {
    std::int64_t batch, channels, height, width;
};

struct Around {
    bool residual, rectifies;
};

class BatchNorms : public ::testing::TestWithParam<InstructionSet> {
  protected:
    test::OnInstructionSet instruction_set_;
    void SetUp() override {
        instruction_set_.use(GetParam());
        at::manual_seed(5);
    }
};

TEST_P(BatchNorms, EqualTheFormulaBothWays) {
    for (const Shape& shape : {Shape{4, 16, 8, 8}, {3, 37, 5, 7}, {7, 3, 1, 1}, {1, 640, 4, 6}, {8, 64, 16, 16}})
        for (const Around& around : {Around{false, false}, {false, true}, {true, false}, {true, true}}) {
            SCOPED_TRACE(testing::Message()
                         << shape.batch << "x" << shape.channels << "x" << shape.height << "x" << shape.width
                         << (around.residual ? " + residual" : "") << (around.rectifies ? ", rectified" : ""));
            Parameter weight{"w", {shape.channels}, {Initialiser::Kind::normal, 1}};
            Parameter bias{"b", {shape.channels}, {Initialiser::Kind::normal, 1}};
            FlatArena arena({{"g", {&weight, &bias}}}, at::kFloat, at::kCPU, false);
            arena.initialise(3);
            // A mean that is large beside the deviation, as sums of squares do not bear it.
            const at::Tensor given = at::randn({shape.batch, shape.channels, shape.height, shape.width})
                                         .add(weight.value().view({1, -1, 1, 1}).mul(20));
            const at::Tensor added = at::randn(given.sizes());
            BatchNorm norm{&weight, &bias, at::randn({shape.channels}), at::ones({shape.channels}).mul(2)};
            norm.rectifies = around.rectifies;
            const at::Tensor mean = norm.mean.to(at::kDouble), variance = norm.variance.to(at::kDouble);

            at::Tensor x = leaf(given, at::kFloat), residual = leaf(added, at::kFloat);
            const at::Tensor y = batch_norm(x, norm, around.residual ? residual : at::Tensor());
            at::Tensor xd = leaf(given, at::kDouble), rd = leaf(added, at::kDouble),
                       wd = leaf(weight.value(), at::kDouble), bd = leaf(bias.value(), at::kDouble);
            at::Tensor yd = at::batch_norm(xd, wd, bd, mean, variance, true, 0.1, 1e-5, false);
            if (around.residual)
                yd = yd.add(rd);
            if (around.rectifies)
                yd = at::relu(yd);
            EXPECT_LT(distance(y.detach(), yd.detach()), 1e-5);
            EXPECT_LT(distance(norm.mean, mean), 1e-6);
            EXPECT_LT(distance(norm.variance, variance), 1e-6);

            const at::Tensor dy = at::randn(given.sizes());
            y.backward(dy);
            yd.backward(dy.to(at::kDouble));
            EXPECT_LT(distance(x.grad(), xd.grad()), 1e-4);
            EXPECT_LT(distance(weight.gradient(), wd.grad()), 1e-4);
            EXPECT_LT(distance(bias.gradient(), bd.grad()), 1e-5);
            if (around.residual) {
                EXPECT_LT(distance(residual.grad(), rd.grad()), 1e-5);
            }
        }
}

TEST_P(BatchNorms, AreTheSameInBothOrdersOfMemoryAndKeepNan) {
    Parameter weight{"w", {24}, {Initialiser::Kind::normal, 1}}, bias{"b", {24}, {Initialiser::Kind::normal, 1}};
    FlatArena arena({{"g", {&weight, &bias}}}, at::kFloat, at::kCPU, false);
    arena.initialise(3);
    BatchNorm norm{&weight, &bias, at::zeros({24}), at::ones({24})};
    norm.rectifies = true;
    const at::Tensor x = at::randn({2, 24, 6, 6});
    at::NoGradGuard no_grad;
    EXPECT_TRUE(at::equal(batch_norm(x, norm), batch_norm(with_channels_last(x), norm)));
    x[1][3][2][2] = std::nan("");
    const at::Tensor y = batch_norm(x, norm);
    EXPECT_TRUE(y.select(1, 3).isnan().all().item<bool>()) << "a channel with a NaN has nothing else";
    EXPECT_EQ(y.isnan().sum().item<std::int64_t>(), 2 * 6 * 6);
}

INSTANTIATE_TEST_SUITE_P(Sets, BatchNorms, ::testing::ValuesIn(kInstructionSets),
                         [](const auto& made) { return to_string(made.param); });

}  // namespace
}  // namespace trainyard::models
