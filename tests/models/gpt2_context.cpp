// SPDX-License-Identifier: GPL-3.0-or-later
// What a micro-batch tells GPT-2 beside its tokens: masks, positions, caches.

#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "distributed/parallel/flat_group.h"
#include "models/nn/model.h"

namespace trainyard::models {
namespace {

constexpr std::int64_t kBatch = 2, kSeq = 9;

class Gpt2Context : public ::testing::Test {
  protected:
    config::ModelRecipe recipe_ = [] {
        config::ModelRecipe recipe;
        recipe.vocab_size = 31;
        recipe.n_positions = 16;
        recipe.n_embd = 24;
        recipe.n_layer = 3;
        recipe.n_head = 3;
        recipe.initializer_range = 0.3;
        return recipe;
    }();
    std::unique_ptr<Model> model_ = make_model(recipe_);
    parallel::FlatArena arena_{model_->groups(), at::kFloat, at::kCPU, false};
    at::Tensor tokens_ = at::randint(0, 31, {kBatch, kSeq}, at::kLong);

    void SetUp() override { arena_.initialise(5); }

    at::Tensor logits(parallel::StepContext& context, const at::Tensor& tokens) {
        at::NoGradGuard no_grad;
        at::Tensor result;
        context.tokens = tokens;
        context.training = false;
        context.logits = &result;
        model_->forward(context);
        return result;
    }

    static double largest_difference(const at::Tensor& a, const at::Tensor& b) {
        return a.sub(b).abs().max().item<double>();
    }
};

TEST_F(Gpt2Context, TokenByTokenWithACacheEqualsTheWholeSequence) {
    parallel::StepContext whole;
    at::Tensor expected = logits(whole, tokens_);
    parallel::KeyValueCache cache;
    std::vector<at::Tensor> parts;
    for (auto [begin, size] : {std::pair<std::int64_t, std::int64_t>{0, 4}, {4, 1}, {5, 3}, {8, 1}}) {
        parallel::StepContext context;
        context.cache = &cache;
        parts.push_back(logits(context, tokens_.narrow(1, begin, size)));
    }
    EXPECT_EQ(cache.length, kSeq);
    EXPECT_EQ(cache.entries.size(), 3u) << "of the blocks alone";
    EXPECT_LT(largest_difference(at::cat(parts, 1), expected), 1e-4);
}

TEST_F(Gpt2Context, PaddingOnTheLeftChangesNothingUnderMaskAndPositions) {
    parallel::StepContext whole;
    at::Tensor expected = logits(whole, tokens_);
    constexpr std::int64_t kPadding = 3;
    at::Tensor padded = at::cat({at::zeros({kBatch, kPadding}, at::kLong), tokens_}, 1);
    parallel::StepContext context;
    context.attention_mask =
        at::cat({at::zeros({kBatch, kPadding}, at::kLong), at::ones({kBatch, kSeq}, at::kLong)}, 1);
    context.position_ids = context.attention_mask.cumsum(1).sub(1).clamp_min(0);
    at::Tensor got = logits(context, padded).narrow(1, kPadding, kSeq);
    EXPECT_LT(largest_difference(got, expected), 1e-4);
    parallel::StepContext without;
    EXPECT_GT(largest_difference(logits(without, padded).narrow(1, kPadding, kSeq), expected), 1e-2)
        << "the mask and the positions must matter";
}

TEST_F(Gpt2Context, GivenPositionsHaveTheGradientsOfThoseThatAreCounted) {
    auto gradient_of = [&](bool given) {
        arena_.forget_gradients();
        parallel::StepContext context;
        context.tokens = context.labels = tokens_;
        context.loss_sum = at::zeros({}, at::kDouble);
        if (given)
            context.position_ids = at::arange(kSeq, at::kLong).expand({kBatch, kSeq});
        model_->forward(context).backward();
        for (auto& group : arena_.groups())
            group.settle_gradients();
        return arena_.gradients().clone();
    };
    EXPECT_LT(largest_difference(gradient_of(true), gradient_of(false)), 1e-5);
}

TEST_F(Gpt2Context, InitialValuesAreAsWideAsThoseOfTransformers) {
    recipe_.tie_word_embeddings = false;
    recipe_.n_embd = 60;
    std::unique_ptr<Model> model = make_model(recipe_);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, false);
    arena.initialise(5);
    for (const parallel::FlatGroup& group : arena.groups())
        for (const parallel::Parameter* parameter : group.parameters()) {
            const std::string& name = parameter->name();
            const at::Tensor& value = parameter->value();
            if (parameter->shape().size() == 1) {
                EXPECT_EQ(value.min().item<float>(), name.ends_with("bias") ? 0 : 1) << name;
                EXPECT_EQ(value.max().item<float>(), name.ends_with("bias") ? 0 : 1) << name;
                continue;
            }
            // The last projection of each residual branch: divided by the root of the number of branches (_init_weights).
            const double expected = name.ends_with("c_proj.weight") ? 0.3 / std::sqrt(2.0 * 3) : 0.3;
            EXPECT_NEAR(value.std().item<double>(), expected, 0.1 * expected) << name;
        }
}

TEST_F(Gpt2Context, TheHeadUsesTheTableOfTheEmbedding) {
    std::vector<parallel::Unit*> units = model_->units();
    ASSERT_EQ(units.back()->tied_parameters().size(), 1u);
    EXPECT_EQ(units.back()->tied_parameters()[0], units.front()->parameters()[0]);
    EXPECT_EQ(model_->blocks().size(), 3u);
}

}  // namespace
}  // namespace trainyard::models
