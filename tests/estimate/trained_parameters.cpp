// SPDX-License-Identifier: GPL-3.0-or-later
// What an estimate says that each rank trains, compared with the parameters that the trainer's ranks have: adapters in
// blocks and around them, modules that are trained whole beside them, on every kind of layout.

#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/recipe/module_targets.h"
#include "config/recipe/recipe.h"
#include "estimate/known_model.h"
#include "estimate/recipe_estimate.h"
#include "estimate/step_operations.h"
#include "estimate/training_memory.h"
#include "models/nn/model.h"
#include "models/spec/family.h"
#include "support/ranks.h"
#include "train/flat_model.h"

namespace trainyard::estimate {
namespace {

/// Gradients are one value per trained parameter.
double estimated_on(const RankMemory& stage) {
    return stage.bytes_of(Part::gradients) / 4;
}

/// Elements of the trained parameters in the groups of each rank, by its place in the pipeline.
std::vector<std::vector<double>> trained_on_ranks(const config::Recipe& recipe, const parallel::MeshShape& shape) {
    std::vector<std::vector<double>> by_stage(static_cast<std::size_t>(recipe.parallel.pp_size));
    std::mutex mutex;
    test::run_ranks(parallel::rank_count(shape), [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(shape, std::move(world));
        const train::FlatModel model(recipe, mesh, at::kCPU);
        double trained = 0;
        for (const parallel::FlatGroup& group : model.arena().groups())
            for (const parallel::Parameter* parameter : group.parameters())
                trained += parameter->trains() ? static_cast<double>(parameter->numel()) : 0;
        const std::lock_guard lock(mutex);
        by_stage[static_cast<std::size_t>(mesh.coordinate(parallel::Dimension::pp))].push_back(trained);
    });
    return by_stage;
}

struct LayoutCase {
    const char* model;
    const char* lora;           ///< flow YAML; empty: the whole model is trained
    parallel::MeshShape shape;  ///< pp, dp_replicate, dp_shard, cp, sp, tp
    int ep = 1;
    const char* schedule = "1F1B";
};

constexpr const char* kGpt2 = "{n_embd: 32, n_layer: 4, n_head: 4, n_positions: 16, vocab_size: 64}";
constexpr const char* kLlama =
    "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 4, "
    "num_key_value_heads: 2, vocab_size: 64, max_position_embeddings: 16, tie_word_embeddings: false}";
constexpr const char* kMixtral =
    "{model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 4, "
    "num_key_value_heads: 2, num_local_experts: 4, vocab_size: 64, max_position_embeddings: 16, "
    "tie_word_embeddings: false}";
/// Its table is narrower than its blocks: matrices in front of them and after them get adapters, too.
constexpr const char* kOpt =
    "{model_type: opt, hidden_size: 32, ffn_dim: 48, num_hidden_layers: 4, num_attention_heads: 4, vocab_size: 64, "
    "max_position_embeddings: 16, word_embed_proj_dim: 16}";
constexpr const char* kExperts = "{r: 4, target_modules: [q_proj, w1, w2]}";
constexpr const char* kSharedExperts =
    "{r: 4, target_modules: [k_proj], target_parameters: [mlp.experts.gate_up_proj]}";
constexpr const char* kWholeHead = "{r: 4, target_modules: [all-linear], modules_to_save: [lm_head]}";
constexpr const char* kAllLinear = "{r: 4, target_modules: [all-linear]}";

/// Four stages of unequal length.
constexpr const char* kSixLayers = "{n_embd: 32, n_layer: 6, n_head: 4, n_positions: 16, vocab_size: 64}";
constexpr const char* kSixUntied =
    "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 6, num_attention_heads: 4, "
    "num_key_value_heads: 2, vocab_size: 64, max_position_embeddings: 16, tie_word_embeddings: false}";

constexpr const char* kBiasedKeys =
    "{model_type: qwen2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 4, "
    "num_key_value_heads: 2, vocab_size: 64, max_position_embeddings: 16, tie_word_embeddings: true}";

/// One head of keys and values: each rank has the whole projection.
constexpr const char* kMultiQuery =
    "{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, multi_query: true, "
    "bias: true, new_decoder_architecture: false, vocab_size: 64, max_position_embeddings: 16}";

constexpr LayoutCase kLayouts[] = {
    {kMultiQuery, "", {1, 1, 1, 1, 1, 2}},
    {kMultiQuery, kAllLinear, {1, 1, 1, 1, 1, 2}},
    // Two heads of keys and values on four ranks: pairs of them have the same head.
    {kLlama, "", {1, 1, 1, 1, 1, 4}},
    {kLlama, "", {2, 1, 1, 1, 1, 4}},
    {kLlama, kAllLinear, {1, 1, 1, 1, 1, 4}},
    {kLlama, "{r: 4, target_modules: [], target_parameters: [k_proj.weight, o_proj.weight]}", {1, 1, 1, 1, 1, 4}},
    {kBiasedKeys, "", {1, 1, 1, 1, 1, 2}},
    {kBiasedKeys, "", {1, 1, 1, 1, 1, 4}},
    {kMixtral, "", {1, 1, 1, 1, 1, 4}},
    {kGpt2, "", {1, 1, 1, 1, 1, 4}},
    {kOpt, "", {1, 1, 1, 1, 1, 2}},
    {kSixLayers, "", {2, 1, 1, 1, 1, 1}, 1, "ZBVZeroBubble"},
    {kSixLayers, "", {2, 1, 1, 1, 1, 1}, 1, "Interleaved1F1B"},
    {kSixUntied, "", {2, 1, 1, 1, 1, 1}, 1, "DualPipeV"},
    {kSixUntied, kWholeHead, {2, 1, 1, 1, 1, 1}, 1, "ZBVZeroBubble"},
    {kSixUntied, kAllLinear, {2, 1, 1, 1, 1, 2}, 1, "LoopedBFS"},
    {kLlama, kWholeHead, {2, 1, 1, 1, 1, 1}},
    {kLlama, kWholeHead, {1, 1, 1, 1, 1, 2}},
    {kLlama, kWholeHead, {2, 1, 1, 1, 1, 2}},
    {kLlama, kWholeHead, {1, 2, 1, 2, 1, 1}},
    {kLlama, "{r: 4, target_modules: [q_proj, down_proj], modules_to_save: [embed_tokens]}", {2, 1, 1, 1, 1, 1}},
    {kLlama, "{r: 4, target_modules: ['.*layers\\.[23]\\.mlp\\.up_proj']}", {2, 1, 1, 1, 1, 2}},
    {kGpt2, kAllLinear, {2, 1, 1, 1, 1, 1}},
    {kGpt2, kAllLinear, {1, 1, 1, 1, 1, 2}},
    {kGpt2,
     "{r: 4, target_modules: [], target_parameters: [attn.c_attn.weight, mlp.c_proj.weight]}",
     {1, 1, 1, 1, 1, 2}},
    {kOpt, kAllLinear, {1, 1, 1, 1, 1, 2}},
    {kOpt, kAllLinear, {2, 1, 1, 1, 1, 1}},
    {kOpt, kAllLinear, {4, 1, 1, 1, 1, 1}},
    {kMixtral, kExperts, {1, 2, 1, 1, 1, 1}, 2},
    {kMixtral, kExperts, {1, 2, 1, 1, 1, 2}, 2},
    {kMixtral, kSharedExperts, {1, 2, 1, 1, 1, 1}, 2},
    {kMixtral, kSharedExperts, {1, 1, 1, 1, 1, 2}},
    {kMixtral, kWholeHead, {1, 2, 1, 1, 1, 1}, 2},
};

TEST(EstimatedParameters, OfEachRankAreThoseOfTheTrainer) {
    for (const LayoutCase& one : kLayouts) {
        config::Recipe recipe = config::parse_recipe(
            std::string("model: ") + one.model + "\nlora: " + one.lora + "\ndata: {path: a, sequence_length: 16}\n",
            "/r/r.yaml");
        const auto size = [&](parallel::Dimension dimension) { return one.shape[static_cast<std::size_t>(dimension)]; };
        recipe.parallel.pp_size = size(parallel::Dimension::pp);
        recipe.parallel.pipeline_schedule = one.schedule;
        recipe.training.gradient_accumulation_steps = 4;
        recipe.parallel.cp_size = size(parallel::Dimension::cp);
        recipe.parallel.tp_size = size(parallel::Dimension::tp);
        recipe.parallel.ep_size = one.ep;
        const int ranks = parallel::rank_count(one.shape);
        ASSERT_TRUE(config::check_recipe(recipe).empty()) << one.model << one.lora;
        const RecipeEstimate estimated = estimate_recipe(recipe, ranks);
        const MemoryEstimate& memory = estimated.memory;
        const std::vector<std::vector<double>> trained = trained_on_ranks(recipe, one.shape);
        ASSERT_EQ(memory.stages.size(), trained.size());
        for (std::size_t stage = 0; stage < trained.size(); ++stage) {
            const double all =
                parameters_on_rank(estimated.plan.model, estimated.plan.setup.layout, memory.stages[stage].blocks)
                    .total();
            for (const double count : trained[stage]) {
                EXPECT_NEAR(estimated_on(memory.stages[stage]), count, 0.5)
                    << one.model << ", " << one.lora << ", stage " << stage << " of " << trained.size();
                if (recipe.model.lora.r == 0) {
                    EXPECT_NEAR(all, count, 0.5) << one.model << ", stage " << stage << " of " << trained.size();
                }
            }
        }
    }
}

/// Every family and task on one rank: heads of classes are trained whole, and other layers after the blocks get
/// adapters.
TEST(EstimatedParameters, OfEveryFamilyAndTaskAreThoseOfTheTrainer) {
    int models = 0, outside = 0;
    for (const std::string& type : families::model_types()) {
        const families::Family& family = families::family_of(type);
        for (const families::TaskClass& task : family.tasks()) {
            config::Recipe recipe;
            static_cast<families::ModelConfig&>(recipe.model) = family.small();
            recipe.model.task = task.task;
            recipe.model.lora.r = 2;
            if (!estimates_training(recipe.model) || !family.problems(recipe.model).empty() ||
                config::adapter_tensors(recipe.model).empty())
                continue;
            const auto model = models::make_model(recipe.model);
            double trained = 0;
            for (const parallel::Unit* unit : model->units())
                for (const parallel::Parameter* parameter : unit->parameters())
                    trained += parameter->trains() ? static_cast<double>(parameter->numel()) : 0;
            const RecipeEstimate estimated = estimate_recipe(recipe, 1);
            const std::string what = type + ", " + task.task;
            EXPECT_NEAR(estimated.memory.trained_count, trained, 0.5) << what;
            EXPECT_NEAR(estimated_on(estimated.memory.stages.front()), trained, 0.5) << what;
            outside += estimated.plan.setup.adapted_outputs > 0;
            ++models;
        }
    }
    EXPECT_GT(models, 20);
    EXPECT_GT(outside, 3) << "models with adapters after their blocks";
}

}  // namespace
}  // namespace trainyard::estimate
