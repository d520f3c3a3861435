#include "estimate/training_memory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "families/family.h"

namespace trainyard::estimate {
namespace {

TEST(TrainingMemory, CountsParametersExactly) {
    // GPT-2 small, as transformers counts it.
    config::ModelRecipe small;
    small.vocab_size = 50257;
    small.n_positions = 1024;
    small.n_embd = 768;
    small.n_layer = small.n_head = 12;
    EXPECT_EQ(families::parameter_count(small), 124'439'808);
    small.n_inner = 100;
    EXPECT_EQ(families::parameter_count(small), 124'439'808 - 12 * (2 * 768 + 1) * (3072 - 100));
    // The two sample recipes.
    config::ModelRecipe tiny;
    EXPECT_EQ(families::parameter_count(tiny), 834'304);
}

TEST(TrainingMemory, StateIsSixteenBytesAParameter) {
    config::Recipe recipe;
    MemoryEstimate estimate = estimate_memory(recipe);
    EXPECT_EQ(estimate.weights + estimate.gradients + estimate.optimizer, 16u * 834'304);
    EXPECT_EQ(estimate.compute_copy, 0u);
    recipe.training.mixed_precision = "bf16";
    EXPECT_EQ(estimate_memory(recipe).compute_copy, 2u * 834'304);
    EXPECT_LT(estimate_memory(recipe).activations, estimate.activations);
}

TEST(TrainingMemory, FrozenParametersHaveValuesAlone) {
    config::Recipe recipe;
    recipe.model.freeze = {"transformer.wte.weight", "transformer.wpe.*"};
    const std::uint64_t frozen = (256 + 64) * 128;
    MemoryEstimate estimate = estimate_memory(recipe);
    EXPECT_EQ(estimate.parameter_count, 834'304);
    EXPECT_EQ(estimate.weights, 4u * 834'304);
    EXPECT_EQ(estimate.gradients, 4 * (834'304 - frozen));
    EXPECT_EQ(estimate.optimizer, 8 * (834'304 - frozen));
}

TEST(TrainingMemory, RanksShareOutWhatTheStageOfZeroSays) {
    config::Recipe recipe;
    recipe.model.n_layer = 48;
    recipe.parallel.bucket_cap_mb = 0.1;
    const auto all = static_cast<std::uint64_t>(families::parameter_count(recipe.model));
    recipe.parallel.zero_stage = 1;
    EXPECT_EQ(estimate_memory(recipe, 4).optimizer, 2 * all);
    EXPECT_EQ(estimate_memory(recipe, 4).gradients, 4 * all);
    EXPECT_EQ(estimate_memory(recipe).optimizer, 8 * all) << "one rank has nobody to share with";
    recipe.parallel.zero_stage = 2;
    EXPECT_EQ(estimate_memory(recipe, 4).optimizer, 2 * all);
    EXPECT_GT(estimate_memory(recipe, 4).gradients, all);
    EXPECT_LT(estimate_memory(recipe, 4).gradients, 3 * all / 2);
    EXPECT_EQ(estimate_memory(recipe, 4).weights, 4 * all);
    recipe.parallel.zero_stage = 0;
    EXPECT_EQ(estimate_memory(recipe, 4).total(), estimate_memory(recipe).total());
}

TEST(TrainingMemory, ActivationsGrowWithTheMicroBatchOnly) {
    config::Recipe recipe;
    MemoryEstimate one = estimate_memory(recipe);
    recipe.training.gradient_accumulation_steps = 8;
    EXPECT_EQ(estimate_memory(recipe).total(), one.total());
    recipe.training.batch_size *= 2;
    EXPECT_EQ(estimate_memory(recipe).activations, 2 * one.activations);
    EXPECT_EQ(estimate_memory(recipe).optimizer, one.optimizer);
}

TEST(TrainingMemory, ALargeVocabularyIsCutInChunks) {
    config::Recipe recipe;
    recipe.model.vocab_size = 50257;
    recipe.training.batch_size = 64;
    MemoryEstimate estimate = estimate_memory(recipe);
    EXPECT_LT(estimate.logits, 64u * 64 * 50257 * 4);  // the size of all logits
}

TEST(TrainingMemory, TheFileHoldsWhatWasPredictedAndMeasured) {
    MemoryEstimate estimate = estimate_memory(config::Recipe{});
    auto json = nlohmann::json::parse(to_json(estimate));
    EXPECT_EQ(json["predicted"]["memory"]["total"], estimate.total());
    EXPECT_FALSE(json.contains("measured"));
    EXPECT_EQ(nlohmann::json::parse(to_json(estimate, 7))["measured"]["peak_resident_bytes"], 7);
}

}  // namespace
}  // namespace trainyard::estimate
