// SPDX-License-Identifier: GPL-3.0-or-later
// Activation checkpointing beside the plain graph: every gradient bit for bit, random numbers and state of the first run, little kept.

#include "distributed/parallel/activation_checkpoint.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/parallel/unit.h"
#include "support/allocation_peak.h"

namespace trainyard::parallel {
namespace {

at::Tensor random_leaf(std::vector<std::int64_t> shape) {
    at::Tensor leaf = at::randn(shape);
    leaf.set_requires_grad(true);
    return leaf;
}

/// A deep function of two inputs with dropout from LibTorch's generator.
struct Deep {
    at::Tensor weight = random_leaf({16, 16}), other = random_leaf({16, 16});
    int runs = 0;

    Tensors operator()(const Tensors& inputs) {
        ++runs;
        at::Tensor x = at::tanh(at::matmul(inputs[0], weight)), y = at::tanh(at::matmul(inputs[1], other));
        at::Tensor mixed = at::dropout(x.mul(y), 0.3, true);
        return {mixed.add(x), at::matmul(mixed, weight)};
    }
};

struct Gradients {
    at::Tensor x, y, weight, other, next_random;
};

Gradients gradients_of(bool checkpointed, bool twice = false, bool keeps_outputs = false) {
    at::manual_seed(11);
    Deep deep;
    at::Tensor x = random_leaf({4, 16}), y = random_leaf({4, 16});
    auto forward = [&](const Tensors& inputs) { return deep(inputs); };
    Tensors outputs =
        checkpointed ? activation_checkpoint(forward, {x, y}, {.keeps_outputs = keeps_outputs}) : forward({x, y});
    at::Tensor loss = outputs[0].square().sum().add(outputs[1].sum());
    if (twice)
        loss.backward({}, true);
    loss.backward();
    EXPECT_EQ(deep.runs, checkpointed ? (twice ? 3 : 2) : 1);
    return {x.grad(), y.grad(), deep.weight.grad(), deep.other.grad(), at::randn({4})};
}

void expect_equal(const Gradients& a, const Gradients& b) {
    EXPECT_TRUE(a.x.equal(b.x));
    EXPECT_TRUE(a.y.equal(b.y));
    EXPECT_TRUE(a.weight.equal(b.weight));
    EXPECT_TRUE(a.other.equal(b.other));
    EXPECT_TRUE(a.next_random.equal(b.next_random)) << "the generator is where it was";
}

TEST(ActivationCheckpoint, GradientsAreThoseOfThePlainGraphToTheBit) {
    expect_equal(gradients_of(true), gradients_of(false));
}

TEST(ActivationCheckpoint, ARetainedGraphRunsTheForwardOnceMore) {
    expect_equal(gradients_of(true, true), gradients_of(false, true));
}

TEST(ActivationCheckpoint, SelectiveGradientsAreThoseOfThePlainGraphToTheBit) {
    for (const bool twice : {false, true})
        expect_equal(gradients_of(true, twice, true), gradients_of(false, twice));
}

TEST(ActivationCheckpoint, ResultsThatAreKeptAreComputedOnce) {
    for (const bool keeps_outputs : {false, true})
        for (const bool changes : {false, true}) {
            int computed = 0;
            const at::Tensor x = random_leaf({2, 8});
            auto forward = [&](const Tensors& t) -> Tensors {
                at::Tensor kept;
                {
                    const at::NoGradGuard no_grad;
                    kept = kept_output([&] {
                        ++computed;
                        return t[0].detach().mul(3);
                    });
                    if (changes)
                        kept.add_(1);
                }
                return {t[0].mul(kept).tanh()};
            };
            activation_checkpoint(forward, {x}, {.keeps_outputs = keeps_outputs})[0].sum().backward();
            EXPECT_EQ(computed, keeps_outputs && !changes ? 1 : 2);
            const at::Tensor got = x.grad().clone(), factor = x.detach().mul(3).add(changes ? 1 : 0);
            EXPECT_TRUE(got.allclose(factor.mul(1 - x.detach().mul(factor).tanh().square()), 1e-4, 1e-5));
        }
}

/// A weight is changed between both runs: what follows the operation has the value of the first run exactly if its
/// result was kept.
TEST(ActivationCheckpoint, OperationsOfLibTorchKeepTheirResults) {
    struct Case {
        const char* name;
        std::vector<std::int64_t> x, weight;
        std::function<at::Tensor(const at::Tensor&, const at::Tensor&)> of;
        bool is_kept = true;
    };
    const auto attention = [](double dropout) {
        return [dropout](const at::Tensor& x, const at::Tensor& w) {
            return at::scaled_dot_product_attention(x, x.mul(w), x, {}, dropout);
        };
    };
    for (const Case& one : {
             Case{"product", {4, 8}, {8, 8}, [](auto&x, auto&w) { return at::matmul(x, w); }},
             Case{"of a batch by one matrix", {2, 4, 8}, {8, 8}, [](auto&x, auto&w) { return at::matmul(x, w); }},
             Case{"layer", {2, 4, 8}, {6, 8}, [](auto&x, auto&w) { return at::linear(x, w, at::ones({6})); }},
             Case{"convolution", {2, 3, 8, 8}, {4, 3, 3, 3}, [](auto&x, auto&w) { return at::conv2d(x, w); }},
             Case{"attention", {2, 2, 8, 4}, {4}, attention(0)},
             Case{"attention with dropout", {2, 2, 8, 4}, {4}, attention(0.5), false},
             Case{"sum", {4, 8}, {8}, [](auto&x, auto&w) { return x.mul(w); }, false},
         }) {
        SCOPED_TRACE(one.name);
        at::manual_seed(5);
        const at::Tensor x = random_leaf(one.x), w = random_leaf(one.weight);
        at::Tensor seen;  // result in the newest run
        auto forward = [&](const Tensors& t) -> Tensors {
            const at::Tensor result = one.of(t[0], w);
            seen = result.detach();
            return {result.tanh()};
        };
        const at::Tensor out = activation_checkpoint(forward, {x}, {.keeps_outputs = true})[0], first = seen;
        w.data().mul_(2);
        out.sum().backward();
        EXPECT_EQ(first.equal(seen), one.is_kept);
    }
}

TEST(ActivationCheckpoint, WithoutGradModeItIsAPlainCall) {
    Deep deep;
    at::NoGradGuard no_grad;
    Tensors outputs =
        activation_checkpoint([&](const Tensors& t) { return deep(t); }, {at::randn({2, 16}), at::randn({2, 16})});
    EXPECT_EQ(outputs.size(), 2u);
    EXPECT_EQ(deep.runs, 1);
}

TEST(ActivationCheckpoint, PartsNest) {
    auto run = [](bool outer, bool inner) {
        at::manual_seed(3);
        at::Tensor w = random_leaf({8, 8}), x = random_leaf({2, 8});
        auto deep = [&](const Tensors& t) -> Tensors { return {at::tanh(at::matmul(t[0], w)).square()}; };
        auto middle = [&](const Tensors& t) -> Tensors {
            Tensors once = inner ? activation_checkpoint(deep, t) : deep(t);
            return {at::tanh(once[0]).mul(w.sum())};
        };
        Tensors y = outer ? activation_checkpoint(middle, {x}) : middle({x});
        y[0].sum().backward();
        return std::pair{x.grad(), w.grad()};
    };
    auto plain = run(false, false);
    for (auto [outer, inner] : {std::pair{true, false}, {false, true}, {true, true}}) {
        auto nested = run(outer, inner);
        EXPECT_TRUE(nested.first.equal(plain.first)) << outer << inner;
        EXPECT_TRUE(nested.second.equal(plain.second)) << outer << inner;
    }
}

TEST(ActivationCheckpoint, AnInputThatNeedsNoGradientMayStandBesideParameters) {
    at::Tensor w = random_leaf({8, 8}), x = at::randn({2, 8});
    activation_checkpoint([&](const Tensors& t) -> Tensors { return {at::tanh(at::matmul(t[0], w))}; }, {x})[0]
        .sum()
        .backward();
    at::Tensor got = w.grad().clone();
    w.mutable_grad() = at::Tensor();
    at::tanh(at::matmul(x, w)).sum().backward();
    EXPECT_TRUE(got.equal(w.grad()));
}

TEST(ActivationCheckpoint, StateThatTheForwardChangesChangesOnce) {
    at::Tensor mean = at::zeros({8}), x = random_leaf({2, 8});
    auto forward = [&](const Tensors& t) -> Tensors {
        {
            at::NoGradGuard no_grad;
            mean.mul_(0.9).add_(t[0].mean(0), 0.1);
        }
        return {t[0].tanh().square()};
    };
    at::Tensor out = activation_checkpoint(forward, {x}, {.buffers = {mean}})[0];
    at::Tensor after_forward = mean.clone();
    out.sum().backward();
    EXPECT_TRUE(mean.equal(after_forward));
    EXPECT_GT(mean.abs().sum().item<float>(), 0);
}

TEST(ActivationCheckpoint, AForwardThatDoesSomethingElseIsNamed) {
    int calls = 0;
    at::Tensor x = random_leaf({2, 8});
    auto more = [&](const Tensors& t) -> Tensors { return {++calls == 1 ? t[0].tanh() : t[0].tanh().square()}; };
    at::Tensor out = activation_checkpoint(more, {x}, {.name = "block 3"})[0];
    try {
        out.sum().backward();
        FAIL() << "backward found no difference";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("activation checkpointing of block 3: it saved 1 tensors"));
    }
    calls = 0;
    auto wider = [&](const Tensors& t) -> Tensors {
        return {++calls == 1 ? t[0].tanh() : at::matmul(t[0], at::zeros({8, 9})).tanh()};
    };
    out = activation_checkpoint(wider, {x})[0];
    EXPECT_ANY_THROW(out.sum().backward());
}

TEST(ActivationCheckpoint, OnlyInputsAreKept) {
    constexpr std::int64_t kRows = 1000, kWidth = 64, kParts = 12;
    auto peak_of = [&](bool checkpointed) {
        at::Tensor x = random_leaf({kRows, kWidth});
        test::AllocationPeak peak;
        at::Tensor stream = x;
        auto part = [](const Tensors& t) -> Tensors { return {t[0].tanh().square().tanh().square().tanh().square()}; };
        for (std::int64_t i = 0; i < kParts; ++i)
            stream = checkpointed ? activation_checkpoint(part, {stream}, {.preserve_rng_state = false})[0]
                                  : part({stream})[0];
        stream.sum().backward();
        return peak.bytes();
    };
    std::uint64_t tensor = kRows * kWidth * 4, kept = peak_of(true), plain = peak_of(false);
    EXPECT_GT(plain, 3 * kParts * tensor);
    EXPECT_LT(kept, (kParts + 12) * tensor) << "an input for each part, and one part at a time";
}

}  // namespace
}  // namespace trainyard::parallel
