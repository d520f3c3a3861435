// SPDX-License-Identifier: GPL-3.0-or-later
// Compares tensor-parallel layers (distributed/parallel/tensor_part.h) with the plain formulas on whole tensors:
// outputs, losses and gradients.

#include <numeric>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/modules/modules.h"
#include "support/ranks.h"

namespace trainyard::models::tensor_parallel {
namespace {

using parallel::Placement;
using parallel::TensorPart;

constexpr std::int64_t kWidth = 12, kInner = 20, kVocabulary = 11, kBatch = 2, kLength = 5;
constexpr double kTolerance = 1e-6;

/// The parameters of an embedding, two Linear layers and a head.
struct Layers {
    parallel::Parameter table{"table.weight", {kVocabulary, kWidth}, normal()},
        positions{"positions.weight", {kLength, kWidth}, normal()}, up{"up.weight", {kInner, kWidth}, normal()},
        up_bias{"up.bias", {kInner}, normal()}, down{"down.weight", {kInner, kWidth}, normal()},
        down_bias{"down.bias", {kWidth}, normal()}, head{"head.weight", {kVocabulary, kWidth}, normal()};
    std::unique_ptr<parallel::FlatArena> arena;

    static parallel::Initialiser normal() { return {parallel::Initialiser::Kind::normal, 0.3}; }
    std::vector<parallel::Parameter*> all() { return {&table, &positions, &up, &up_bias, &down, &down_bias, &head}; }
    /// Creates layers that are divided among `ranks`, or whole ones if it is null.
    explicit Layers(parallel::Communicator* ranks) {
        const auto divide = [&](parallel::Parameter& parameter, Placement placement, std::size_t dimension) {
            parameter.divide(std::make_shared<TensorPart>(
                TensorPart{ranks, placement, parameter.shape(), dimension, {parameter.shape()[dimension]}}));
        };
        if (ranks != nullptr) {
            divide(table, Placement::vocabulary, 0);
            divide(head, Placement::vocabulary, 0);
            divide(up, Placement::column, 0);
            divide(up_bias, Placement::column, 0);
            divide(down, Placement::row, 0);  // [in, out]
        }
        arena = std::make_unique<parallel::FlatArena>(std::vector<parallel::GroupRequest>{{"layers", all()}},
                                                      at::kFloat, at::kCPU, false);
        arena->initialise(3);
    }
};

struct Result {
    at::Tensor hidden, logits;
    double loss = 0;
    std::vector<at::Tensor> gradients;  ///< in the order of Layers::all()
};

/// Computes the expected result in fp64 with LibTorch's operators on unsharded tensors.
Result oracle(const at::Tensor& tokens, const at::Tensor& labels, double cap) {
    Layers layers(nullptr);
    std::vector<at::Tensor> w;
    for (const parallel::Parameter* parameter : layers.all())
        w.push_back(parameter->value().to(at::kDouble).detach().clone().set_requires_grad(true));
    const at::Tensor x = at::embedding(w[0], tokens).add(w[1].unsqueeze(0));
    const at::Tensor inner = at::gelu(at::linear(x, w[2], w[3]), "tanh");
    Result result;
    result.hidden = x.add(at::linear(inner, w[4].t(), w[5]));
    result.logits = at::linear(result.hidden, w[6]);
    if (cap > 0)
        result.logits = result.logits.div(cap).tanh().mul(cap);
    const at::Tensor loss = at::cross_entropy_loss(result.logits.flatten(0, 1), labels.flatten(), {}, 2, -100);
    loss.backward();
    result.loss = loss.item<double>();
    for (const at::Tensor& each : w)
        result.gradients.push_back(each.grad());
    return result;
}

Result shared(Layers& layers, const at::Tensor& tokens, const at::Tensor& labels, double cap) {
    const Embedding table(layers.table), positions(layers.positions);
    const Linear up(&linear_transposed, layers.up, &layers.up_bias), down(&linear, layers.down, &layers.down_bias);
    layers.arena->forget_gradients();
    const at::Tensor x = table(tokens, positions, {});
    Result result;
    result.hidden = x.add(down(gelu_tanh(up(x))));
    const VocabularyHead head(layers.head, {.next = false, .cap = cap});
    result.logits = head.logits(result.hidden.detach());
    parallel::StepContext context;
    context.labels = labels;
    context.loss_sum = at::zeros({}, at::kDouble);
    head.loss(result.hidden, context).backward();
    result.loss = context.loss_sum.item<double>();
    for (const parallel::Parameter* parameter : layers.all()) {
        const TensorPart* part = parameter->part();
        result.gradients.push_back(part != nullptr ? part->gather(parameter->gradient(), "gradient")
                                                   : parameter->gradient());
    }
    return result;
}

/// Relative to the largest number.
double distance(const at::Tensor& got, const at::Tensor& expected) {
    return got.to(at::kDouble).sub(expected.to(at::kDouble)).abs().max().item<double>() /
           expected.abs().max().item<double>();
}

class SharedLayers : public ::testing::TestWithParam<int> {};

TEST_P(SharedLayers, AreThePlainFormulas) {
    at::manual_seed(17);
    const at::Tensor tokens = at::randint(kVocabulary, {kBatch, kLength}, at::kLong);
    at::Tensor labels = at::randint(kVocabulary, {kBatch, kLength}, at::kLong);
    labels[0][2].fill_(-100);
    for (const double cap : {0.0, 2.0}) {
        const Result expected = oracle(tokens, labels, cap);
        test::run_ranks(GetParam(), [&](std::unique_ptr<parallel::World> world) {
            std::vector<int> all(static_cast<std::size_t>(world->size()));
            std::iota(all.begin(), all.end(), 0);
            const std::shared_ptr<parallel::Communicator> ranks = world->group(all, "tp");
            Layers layers(ranks.get());
            const Result got = shared(layers, tokens, labels, cap);
            EXPECT_LT(distance(got.hidden, expected.hidden), kTolerance);
            EXPECT_LT(distance(got.logits, expected.logits), kTolerance);
            EXPECT_NEAR(got.loss / expected.loss, 1, kTolerance);
            for (std::size_t i = 0; i < got.gradients.size(); ++i)
                EXPECT_LT(distance(got.gradients[i], expected.gradients[i]), kTolerance)
                    << layers.all()[i]->name() << ", cap " << cap;
            // Computes the forward without gradients, as evaluation does.
            const at::NoGradGuard no_grad;
            parallel::StepContext context;
            context.labels = labels;
            context.loss_sum = at::zeros({}, at::kDouble);
            VocabularyHead(layers.head, {.next = false, .cap = cap}).loss(got.hidden.detach(), context);
            EXPECT_NEAR(context.loss_sum.item<double>() / expected.loss, 1, kTolerance);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, SharedLayers, ::testing::Values(2, 4));

/// The loss needs three numbers of each row, whatever the vocabulary.
TEST(SharedHead, NeverGathersLogits) {
    test::run_ranks(2, [](std::unique_ptr<parallel::World> world) {
        const std::vector<int> all{0, 1};
        const std::shared_ptr<parallel::Communicator> ranks = world->group(all, "tp");
        constexpr std::int64_t kRows = 8, kLarge = 4096;
        parallel::Parameter weight("head.weight", {kLarge, kWidth}, Layers::normal());
        weight.divide(std::make_shared<TensorPart>(
            TensorPart{ranks.get(), Placement::vocabulary, {kLarge, kWidth}, 0, {kLarge}}));
        parallel::FlatArena arena({{"head", {&weight}}}, at::kFloat, at::kCPU, false);
        arena.initialise(1);
        parallel::StepContext context;
        context.labels = at::zeros({1, kRows}, at::kLong);
        context.loss_sum = at::zeros({}, at::kDouble);
        at::Tensor hidden = at::zeros({1, kRows, kWidth}).set_requires_grad(true);
        const std::uint64_t before = ranks->stats().bytes;
        VocabularyHead(weight, {.next = false}).loss(hidden, context).backward();
        EXPECT_EQ(ranks->stats().bytes - before, (3 * kRows + kRows * kWidth) * sizeof(float));
    });
}

}  // namespace
}  // namespace trainyard::models::tensor_parallel
