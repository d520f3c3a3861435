// SPDX-License-Identifier: GPL-3.0-or-later
// BLOOM, Falcon, MPT and Megatron's BERT with matrices of 4 and 8 bits and adapters: losses near those beside full
// weights, the same on one rank and on a mesh, adapters that ranks with parts of the layers have saved, and what an
// encoder refuses.

#include <gmock/gmock.h>

#include "base/error.h"
#include "generate/logits.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/merge_adapters.h"
#include "quantization/quantized_runs.h"

namespace trainyard::train {
namespace {

struct QuantizedFamily {
    const char* name;
    const char* model;  ///< flow YAML
    std::size_t packed;
    bool is_decoder = true;
};

const QuantizedFamily kQuantizedFamilies[] = {
    {"bloom",
     "{model_type: bloom, hidden_size: 64, n_layer: 2, n_head: 4, hidden_dropout: 0.1, attention_dropout: 0.1}", 8},
    // All heads share one of keys and values: each rank has the whole projection.
    {"falcon",
     "{model_type: falcon, hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4, hidden_dropout: 0.1}", 8},
    {"falcon_groups",
     "{model_type: falcon, hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 8, num_kv_heads: 4, "
     "new_decoder_architecture: yes, bias: yes}",
     8},
    {"falcon_alibi",
     "{model_type: falcon, hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 4, alibi: yes, multi_query: no, "
     "parallel_attn: no}",
     8},
    {"mpt", "{model_type: mpt, d_model: 64, n_layers: 2, n_heads: 4, attn_config: {attn_pdrop: 0.1, clip_qkv: 0.5}}",
     8},
    {"megatron_bert",
     "{model_type: megatron-bert, task: masked_lm, vocab_size: 257, hidden_size: 64, intermediate_size: 96, "
     "num_hidden_layers: 2, num_attention_heads: 4, hidden_dropout_prob: 0.1}",
     13, false},
};

class QuantizedFamilies : public QuantizedRuns, public ::testing::WithParamInterface<QuantizedFamily> {
  protected:
    /// Trains the base for some steps: of initial weights, codes hardly change what a model computes.
    void SetUp() override {
        constexpr std::int64_t kBaseSteps = 20;
        config::Recipe recipe =
            config::parse_recipe(std::string("model: ") + GetParam().model +
                                     "\ndata: {path: text.txt, sequence_length: 16}\n"
                                     "training: {steps: 20, batch_size: 8}\noptimizer: {lr: 0.01}\n",
                                 folder_.path() / "recipe.yaml");
        test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(1), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < kBaseSteps)
                trainer.step();
            trainer.save(folder_.path() / "trained");
        });
        fs::remove_all(base());
        fs::rename(folder_.path() / "trained" / "checkpoint_20", base());
        recipe_.model = {};
        recipe_.model.weights = base().string();
        recipe_.model = inputs::settle_model(recipe_.model).model;
        recipe_.model.lora.r = 4;
        ASSERT_EQ(recipe_.model.lora.target_modules, std::vector<std::string>{"all-linear"});
    }
};

TEST_P(QuantizedFamilies, TrainAdaptersBesideCodesOnEveryMesh) {
    const Trained full = train(with(Quantization::no));
    EXPECT_EQ(full.packed, 0u);
    struct Mesh {
        int ranks, pp, cp, tp;
        std::int64_t zero_stage;
        bool divides_positions;
    };
    std::vector<Mesh> meshes{{2, 1, 1, 1, 1, false}, {2, 1, 1, 1, 3, false}, {2, 2, 1, 1, 0, false}};
    if (GetParam().is_decoder)
        meshes.insert(meshes.end(), {{2, 1, 1, 2, 0, false},
                                     {4, 1, 1, 4, 0, true},
                                     {4, 1, 1, 2, 3, true},
                                     {2, 1, 2, 1, 0, false},
                                     {4, 2, 1, 2, 0, true}});
    for (const auto& [method, double_quant] : {std::pair{Quantization::nf4, true}, {Quantization::int8, false}}) {
        SCOPED_TRACE(choice_name(method));
        const config::Recipe recipe = with(method, double_quant);
        const Trained expected = train(recipe);
        EXPECT_EQ(expected.packed, GetParam().packed);
        EXPECT_LT(4 * expected.packed_bytes, expected.full_bytes + 1024 * GetParam().packed * 4);
        EXPECT_NE(expected.losses, full.losses);
        ASSERT_EQ(expected.losses.size(), full.losses.size());
        for (std::size_t i = 0; i < full.losses.size(); ++i)
            EXPECT_NEAR(expected.losses[i], full.losses[i], 0.05 * full.losses[i]) << i;
        for (const Mesh& mesh : meshes) {
            SCOPED_TRACE("ranks " + std::to_string(mesh.ranks) + ", pp " + std::to_string(mesh.pp) + ", cp " +
                         std::to_string(mesh.cp) + ", tp " + std::to_string(mesh.tp) + ", ZeRO " +
                         std::to_string(mesh.zero_stage));
            config::Recipe shared = recipe;
            shared.parallel.pp_size = mesh.pp;
            shared.parallel.cp_size = mesh.cp;
            shared.parallel.tp_size = mesh.tp;
            shared.parallel.tp_sequence_parallel = mesh.divides_positions;
            shared.parallel.zero_stage = mesh.zero_stage;
            shared.training.gradient_accumulation_steps = mesh.pp;
            shared.training.evaluate_batches = recipe.training.evaluate_batches * mesh.pp;
            shared.training.batch_size = recipe.training.batch_size * mesh.tp * mesh.cp / mesh.ranks;
            ASSERT_TRUE(config::check_recipe(shared).empty());
            const Trained found = train(shared, mesh.ranks);
            if (mesh.pp == 1) {
                EXPECT_EQ(found.packed, expected.packed);
            } else {
                EXPECT_EQ(found.packed, expected.packed / 2) << "those of the first stage alone";
            }
            ASSERT_EQ(found.losses.size(), expected.losses.size());
            for (std::size_t i = 0; i < expected.losses.size(); ++i)
                EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-4) << i;
            EXPECT_NEAR(found.evaluation, expected.evaluation, 1e-4);
        }
    }
}

/// A quantized folder, an adapter that two ranks have trained beside parts of its codes, and both merged.
TEST_P(QuantizedFamilies, AnAdapterOfTwoRanksIsMergedIntoItsCodes) {
    if (!GetParam().is_decoder) {
        config::Recipe recipe = with(Quantization::nf4);
        for (std::int64_t config::ParallelRecipe::*size :
             {&config::ParallelRecipe::tp_size, &config::ParallelRecipe::cp_size}) {
            config::Recipe divided = recipe;
            divided.parallel.*size = 2;
            std::string said;
            try {
                for (const Problem& problem : config::check_recipe(divided))
                    said += problem.key + ": " + problem.message.text();
                config::on_ranks(divided, 2);
            } catch (const InvalidInput& error) {
                said += error.what();
            }
            EXPECT_THAT(said, testing::HasSubstr(size == &config::ParallelRecipe::tp_size ? "parallel.tp_size"
                                                                                          : "parallel.cp_size"));
            EXPECT_THAT(said, testing::HasSubstr("megatron-bert"));
        }
        return;
    }
    const at::Tensor ids = at::randint(256, {2, 9}, at::kLong);
    // Inputs of 8-bit matrices are quantized where the model is used.
    for (const auto& [method, bound] : {std::pair{"nf4", 1e-3}, {"int8", 3e-2}}) {
        SCOPED_TRACE(method);
        config::Recipe recipe = recipe_;
        recipe.model.weights = quantized(method).string();
        recipe.model = inputs::settle_model(recipe.model).model;
        recipe.parallel.tp_size = 2;
        const fs::path saved = folder_.path() / (std::string("adapter_") + method),
                       merged = folder_.path() / (std::string("merged_") + method);
        EXPECT_EQ(train(recipe, 2, 6, saved).packed, GetParam().packed);
        const std::vector<generate::AdapterSource> adapters{{saved / "checkpoint_6"}};
        generate::merge_adapters({recipe.model.weights, {}, adapters}, merged);
        const at::Tensor expected =
                             test::logits_of(generate::LoadedModel({recipe.model.weights, {}, adapters}).model(), ids),
                         found = test::logits_of(generate::LoadedModel({merged, {}, {}}).model(), ids),
                         without = test::logits_of(generate::LoadedModel({recipe.model.weights, {}, {}}).model(), ids);
        EXPECT_LT(test::distance(found, expected), bound * expected.abs().max().item<double>());
        EXPECT_GT(test::distance(found, without), 0.02 * expected.abs().max().item<double>());
    }
}

INSTANTIATE_TEST_SUITE_P(Families, QuantizedFamilies, ::testing::ValuesIn(kQuantizedFamilies),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace trainyard::train
