// AdamW beside its formula in double precision, in both number formats of the CPU.

#include "train/adamw.h"

#include <cmath>

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>

#include <gtest/gtest.h>

namespace trainyard::train {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;
using parallel::Parameter;

class Updates : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(Updates, FollowTheFormulaAndKeepTheCopyCurrent) {
    const Initialiser normal{Initialiser::Kind::normal, 0.5};
    // More elements than a thread takes at once, and no whole number of registers.
    Parameter weight("w", {211, 173}, normal), bias("b", {173}, normal);
    FlatArena arena({{"g", {&weight, &bias}}}, GetParam(), at::kCPU, false);
    arena.initialise(11);
    config::OptimizerRecipe recipe;
    recipe.weight_decay = 0.1;
    recipe.beta1 = 0.9;
    recipe.beta2 = 0.95;
    recipe.eps = 1e-8;
    AdamW optimizer(arena, recipe);
    optimizer.set_step(3);  // as after a resume
    struct Expected {
        Parameter* parameter;
        double decay;
        at::Tensor value, first, second;
    };
    std::vector<Expected> all;
    for (auto [parameter, decay] : {std::pair{&weight, 0.1}, std::pair{&bias, 0.0}}) {
        at::Tensor value = parameter->value().to(at::kDouble);
        all.push_back({parameter, decay, value, value.mul(0), value.mul(0)});
    }
    for (int step = 4; step <= 9; ++step) {
        double rate = 0.01 / step, divisor = step % 2 == 0 ? 1.0 : 2.5;
        for (Expected& one : all) {
            at::Tensor g = at::randn(one.value.sizes());
            one.parameter->gradient().copy_(g);
            g = g.to(at::kDouble).div(divisor);
            one.first = one.first.mul(0.9).add(g, 0.1);
            one.second = one.second.mul(0.95).addcmul(g, g, 0.05);
            at::Tensor root = one.second.div(1 - std::pow(0.95, step)).sqrt().add(1e-8);
            one.value = one.value.mul(1 - rate * one.decay).sub(one.first.div(1 - std::pow(0.9, step)).div(root), rate);
        }
        optimizer.set_lr(0, rate);
        optimizer.set_gradient_divisor(divisor);
        optimizer.step();
    }
    auto distance = [](const at::Tensor& a, const at::Tensor& b) {
        return a.to(at::kDouble).sub(b).norm().item<double>() / b.norm().item<double>();
    };
    for (const Expected& one : all) {
        EXPECT_LT(distance(one.parameter->value(), one.value), 1e-6) << one.parameter->name();
        EXPECT_LT(distance(arena.view(optimizer.exp_avg(), *one.parameter), one.first), 1e-6);
        EXPECT_LT(distance(arena.view(optimizer.exp_avg_sq(), *one.parameter), one.second), 1e-6);
        EXPECT_TRUE(at::equal(one.parameter->compute(), one.parameter->value().to(GetParam())));
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Updates, ::testing::Values(at::kFloat, at::kBFloat16, at::kHalf));

}  // namespace
}  // namespace trainyard::train
