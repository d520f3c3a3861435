// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of products, forward and backward, of a model that is small enough to count them by hand: whole, with
// adapters, and partly frozen.

#include "estimate/step_operations.h"

#include <gtest/gtest.h>

#include "config/recipe/recipe.h"
#include "estimate/recipe_estimate.h"
#include "estimate/step_simulation.h"
#include "estimate/step_time.h"

namespace trainyard::estimate {
namespace {

// Three blocks of two heads of width 4, one of which has keys and values; sequences of 4 tokens.
constexpr double kQueries = 8 * 8, kKeys = 8 * 4, kValues = 8 * 4, kOutputs = 8 * 8, kFeedForward = 3 * 8 * 16,
                 kProducts = kQueries + kKeys + kValues + kOutputs + kFeedForward;
constexpr double kAttention =
    4 * 8 * 4;  ///< scores and values: 2 operations for each of 8 numbers of 4 positions, twice
constexpr double kHead = 8 * 32;
constexpr double kBlocks = 3;
/// Inputs plus outputs of the seven matrices of a block.
constexpr double kSides = (8 + 8) + (8 + 4) + (8 + 4) + (8 + 8) + 3 * (8 + 16);

config::Recipe small_recipe() {
    return config::parse_recipe(
        "model: {model_type: llama, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 3, num_attention_heads: "
        "2, num_key_value_heads: 1, vocab_size: 32, max_position_embeddings: 4, tie_word_embeddings: false}\n"
        "data: {path: a, sequence_length: 4}\ntraining: {batch_size: 5}\n",
        "/r/r.yaml");
}

TokenOperations operations_of(const RecipePlan& plan) {
    const int layers = static_cast<int>(plan.model.layers());
    const TokenOperations operations = token_operations(plan.model, plan.setup, {0, layers});
    // Every estimate counts the same.
    const double all = operations.forward + operations.backward();
    Hardware hardware;
    hardware.device = *find_device("H100");
    hardware.device.utilisation = 1;
    hardware.device.flops16 = hardware.device.flops32 = 1e6;
    const double tokens = 5 * 4;
    EXPECT_DOUBLE_EQ(step_time(plan.model, plan.setup, hardware).compute, tokens * all / 1e6);
    SimulationRates rates;
    rates.product = 1e6;
    EXPECT_NEAR(simulate_step(plan.model, plan.setup, hardware, rates).seconds, tokens * all / 1e6, 1e-9);
    EXPECT_DOUBLE_EQ(flops_per_token(plan.model, plan.setup), all - operations.repeated);
    return operations;
}

TokenOperations operations_of(const config::Recipe& recipe) {
    return operations_of(plan_of(recipe, 1));
}

TEST(StepOperations, BackwardOfAWholeModelIsTwiceItsForward) {
    config::Recipe recipe = small_recipe();
    const double forward = kBlocks * (2 * kProducts + kAttention) + 2 * kHead;
    TokenOperations operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.forward, forward);
    EXPECT_DOUBLE_EQ(operations.activation_gradients, kBlocks * (2 * kProducts + 2 * kAttention) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, kBlocks * 2 * kProducts + 2 * kHead);
    EXPECT_EQ(operations.repeated, 0);
    recipe.training.activation_checkpointing = Recomputation::full;
    operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.backward(), 2 * forward + kBlocks * (2 * kProducts + kAttention));
}

TEST(StepOperations, AdaptersAreMultipliedAndTheirBaseHasNoGradients) {
    config::Recipe recipe = small_recipe();
    recipe.model.lora.r = 2;
    const double adapters = 2 * 2 * kSides;  // a multiplication and an addition for each of A's and B's numbers
    TokenOperations operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.forward, kBlocks * (2 * kProducts + kAttention + adapters) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.activation_gradients,
                     kBlocks * (2 * kProducts + 2 * kAttention + adapters) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, kBlocks * adapters);
    // Parameters and products are counted from the same modules.
    const RecipePlan plan = plan_of(recipe, 1);
    EXPECT_DOUBLE_EQ(estimate_memory(plan.model, plan.setup, *find_device("H100")).trained_count, kBlocks * 2 * kSides);
    // A head that is trained whole has its gradient, and so has each block's query matrix.
    recipe.model.lora.target_modules = {"k_proj"};
    recipe.model.lora.modules_to_save = {"lm_head", "q_proj"};
    operations = operations_of(recipe);
    const double keys = 2 * 2 * (8 + 4);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, kBlocks * (keys + 2 * kQueries) + 2 * kHead);
}

/// A table that is narrower than the blocks has a matrix in front of them and one after them.
TEST(StepOperations, AdaptersAroundTheBlocksAreMultiplied) {
    config::Recipe recipe = config::parse_recipe(
        "model: {model_type: opt, hidden_size: 8, ffn_dim: 16, num_hidden_layers: 3, num_attention_heads: 2, "
        "vocab_size: 32, max_position_embeddings: 4, word_embed_proj_dim: 4}\n"
        "lora: {r: 2, target_modules: [q_proj]}\ndata: {path: a, sequence_length: 4}\ntraining: {batch_size: 5}\n",
        "/r/r.yaml");
    const TokenOperations inside = operations_of(recipe);
    recipe.model.lora.target_modules = {"q_proj", "project_in", "project_out"};
    const RecipePlan plan = plan_of(recipe, 1);
    const TokenOperations all = operations_of(plan);
    const double each = 2 * 2 * (4 + 8);
    EXPECT_DOUBLE_EQ(all.forward - inside.forward, 2 * each);
    EXPECT_DOUBLE_EQ(all.activation_gradients - inside.activation_gradients, 2 * each);
    EXPECT_DOUBLE_EQ(all.weight_gradients - inside.weight_gradients, 2 * each);
    const double queries = 2 * 2 * (8 + 8);
    EXPECT_DOUBLE_EQ(token_operations(plan.model, plan.setup, {0, 1}).weight_gradients, queries + each);
    EXPECT_DOUBLE_EQ(token_operations(plan.model, plan.setup, {1, 2}).weight_gradients, queries);
    EXPECT_DOUBLE_EQ(token_operations(plan.model, plan.setup, {1, 3}).weight_gradients, 2 * queries + each);
}

TEST(StepOperations, BackwardEndsAtTheFirstBlockThatIsTrained) {
    config::Recipe recipe = small_recipe();
    recipe.model.lora.r = 2;
    recipe.model.lora.target_modules = {".*layers\\.[12]\\.self_attn\\.q_proj"};
    const double adapter = 2 * 2 * (8 + 8);
    TokenOperations operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.forward, kBlocks * (2 * kProducts + kAttention) + 2 * adapter + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.activation_gradients, 2 * (2 * kProducts + 2 * kAttention + adapter) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, 2 * adapter);
    recipe.training.activation_checkpointing = Recomputation::full;
    EXPECT_DOUBLE_EQ(operations_of(recipe).repeated, 2 * (2 * kProducts + kAttention + adapter));
    recipe.training.activation_checkpointing = Recomputation::no;
    // Blocks that backward does not reach keep nothing for it.
    const auto kept = [](const config::Recipe& one) {
        const RecipePlan plan = plan_of(one, 1);
        return estimate_memory(plan.model, plan.setup, *find_device("H100")).fullest().bytes_of(Part::activations);
    };
    const double of_two = kept(recipe);
    recipe.model.lora.target_modules = {"q_proj"};
    EXPECT_DOUBLE_EQ(kept(recipe), of_two * 3 / 2);

    // Frozen without adapters: the first block, and all that is in front of it.
    recipe.model.lora = {};
    recipe.model.freeze = {"model.embed_tokens.*", "model.layers.0.*"};
    operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.forward, kBlocks * (2 * kProducts + kAttention) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.activation_gradients, 2 * (2 * kProducts + 2 * kAttention) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, 2 * 2 * kProducts + 2 * kHead);
    EXPECT_DOUBLE_EQ(kept(recipe), of_two);
    // With an embedding that is trained, backward goes through frozen blocks.
    recipe.model.freeze = {"model.layers.*"};
    operations = operations_of(recipe);
    EXPECT_DOUBLE_EQ(operations.activation_gradients, kBlocks * (2 * kProducts + 2 * kAttention) + 2 * kHead);
    EXPECT_DOUBLE_EQ(operations.weight_gradients, 2 * kHead);
}

TEST(StepOperations, LaterStagesSendGradientsToFrozenOnes) {
    config::Recipe recipe = small_recipe();
    recipe.model.freeze = {"model.embed_tokens.*", "model.layers.0.*", "model.layers.1.*"};
    const RecipePlan plan = plan_of(recipe, 1);
    EXPECT_EQ(token_operations(plan.model, plan.setup, {0, 1}).backward(), 0);
    const TokenOperations second = token_operations(plan.model, plan.setup, {1, 3});
    EXPECT_DOUBLE_EQ(second.activation_gradients, 2 * (2 * kProducts + 2 * kAttention) + 2 * kHead);
    EXPECT_DOUBLE_EQ(second.weight_gradients, 2 * kProducts + 2 * kHead);
}

TEST(StepOperations, ATokenIsMultipliedWithTheAdaptersOfItsExperts) {
    config::Recipe recipe = config::parse_recipe(
        "model: {model_type: mixtral, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 2, "
        "num_attention_heads: 2, num_key_value_heads: 1, num_local_experts: 4, num_experts_per_tok: 2, vocab_size: 32, "
        "max_position_embeddings: 4, tie_word_embeddings: false}\ndata: {path: a, sequence_length: 4}\n"
        "training: {batch_size: 5}\n",
        "/r/r.yaml");
    recipe.model.lora.r = 2;
    const double attention = (8 + 8) + (8 + 4) + (8 + 4) + (8 + 8);
    EXPECT_DOUBLE_EQ(operations_of(recipe).weight_gradients, 2 * 2 * 2 * attention) << "all-linear has no experts";
    recipe.model.lora.target_parameters = {"mlp.experts.gate_up_proj", "mlp.experts.down_proj"};
    const double expert = (8 + 2 * 16) + (16 + 8);  // gate and up share A
    const RecipePlan plan = plan_of(recipe, 1);
    EXPECT_DOUBLE_EQ(operations_of(plan).weight_gradients, 2 * 2 * 2 * (attention + 2 * expert));
    EXPECT_DOUBLE_EQ(estimate_memory(plan.model, plan.setup, *find_device("H100")).trained_count,
                     2 * 2 * (attention + 4 * expert));
    // A setup without a recipe has the adapters of the recipe that is written from it.
    TrainingSetup by_hand;
    by_hand.lora_rank = 2;
    recipe.model.lora = {};
    const RecipePlan written = plan_of(recipe_of(by_hand, recipe), 1);
    for (const BlockShape& block : written.model.blocks)
        EXPECT_DOUBLE_EQ(adapter_parameters(written.setup, block), adapter_parameters(by_hand, block));
}

}  // namespace
}  // namespace trainyard::estimate
