// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions for a recipe's pipeline before the start.

#include "estimate/pipeline_plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "estimate/training_memory.h"

namespace trainyard::estimate {
namespace {

config::Recipe staged(std::int64_t stages, const std::string& schedule) {
    config::Recipe recipe;
    recipe.model.n_layer = 8;
    recipe.model.n_embd = 256;
    recipe.data.sequence_length = recipe.model.n_positions = 128;
    recipe.training.gradient_accumulation_steps = 8;
    recipe.parallel.pp_size = stages;
    recipe.parallel.pipeline_schedule = schedule;
    return recipe;
}

TEST(PipelinePlan, SaysStagesBubbleAndWhatIsKept) {
    config::Recipe recipe = staged(2, "1F1B");
    PipelinePlan plan = plan_pipeline(recipe);
    EXPECT_EQ(plan.stages, (std::vector<pipeline::StageBlocks>{{0, 4}, {4, 8}}));
    EXPECT_EQ(plan.kept_micro_batches, (std::vector<int>{2, 1}));
    EXPECT_NEAR(plan.bubble, 1.0 / 9, 0.03);
    EXPECT_EQ(to_text(plan, recipe),
              "1F1B over 2 stages (blocks 0-3, 4-7), 8 micro-batches: idle for 12 % of a step, keeps up to 2 "
              "micro-batches");
    EXPECT_EQ(plan_pipeline(staged(2, "GPipe")).kept_micro_batches, (std::vector<int>{8, 8}));
    EXPECT_LT(plan_pipeline(staged(4, "ZBH1")).bubble, plan_pipeline(staged(4, "1F1B")).bubble);
    EXPECT_LT(plan_pipeline(staged(2, "Interleaved1F1B")).bubble, plan_pipeline(staged(2, "1F1B")).bubble);
    EXPECT_EQ(plan_pipeline(staged(2, "ZBVZeroBubble")).stages.size(), 4u);
    EXPECT_THROW(plan_pipeline(staged(9, "1F1B")), UserError);
    EXPECT_THROW(plan_pipeline(staged(8, "ZBVZeroBubble")), UserError);
}

TEST(PipelinePlan, ALargeVocabularyIsABlockMore) {
    config::Recipe recipe = staged(2, "1F1B");
    recipe.model.vocab_size = 50257;
    EXPECT_LT(plan_pipeline(recipe).stages[1].end - plan_pipeline(recipe).stages[1].begin, 4)
        << "the last stage has the head too";
}

TEST(PipelinePlan, MemoryIsThatOfTheLargestStage) {
    config::Recipe recipe = staged(1, "1F1B");
    MemoryEstimate whole = estimate_memory(recipe), half = estimate_memory(staged(2, "1F1B")),
                   all_kept = estimate_memory(staged(2, "GPipe"));
    EXPECT_EQ(half.parameter_count, whole.parameter_count) << "of the model";
    const auto weights = [](const MemoryEstimate& of) { return of.fullest().bytes_of(Part::weights); };
    const auto activations = [](const MemoryEstimate& of) { return of.fullest().bytes_of(Part::activations); };
    EXPECT_LT(weights(half), 0.6 * weights(whole));
    EXPECT_GT(weights(half), 0.5 * weights(whole)) << "an embedding is on top";
    EXPECT_GT(activations(all_kept), 3 * activations(half)) << "eight micro-batches instead of two";
    recipe.training.activation_checkpointing = config::Recomputation::full;
    EXPECT_LT(activations(estimate_memory(recipe)), activations(whole) / 2);
}

}  // namespace
}  // namespace trainyard::estimate
