// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that every family trains equally on every layout: one rank, ZeRO on two ranks, pipeline stages, activation
// checkpointing, gradient accumulation. Compares losses, and the weights after three steps.

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <random>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/module_targets.h"
#include "config/recipe/recipe.h"
#include "models/nn/model.h"
#include "models/spec/family.h"
#include "models/spec/module_parameters.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

struct FamilyCase {
    const char* name;
    const char* model;  ///< flow YAML
    bool pipelines = true;
};

const FamilyCase kFamilyCases[] = {
    {"llama",
     "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 4, "
     "num_key_value_heads: 2}"},
    {"gemma2",
     "{model_type: gemma2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 2, "
     "num_key_value_heads: 1, head_dim: 16, sliding_window: 5}"},
    {"mixtral",
     "{model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 2, "
     "num_local_experts: 3, output_router_logits: yes}"},
    {"gpt_neox",
     "{model_type: gpt_neox, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, num_attention_heads: 2, "
     "hidden_dropout: 0.1}"},
    {"opt",
     "{model_type: opt, hidden_size: 32, ffn_dim: 48, num_hidden_layers: 2, num_attention_heads: 2, dropout: 0.1}"},
    {"bloom", "{model_type: bloom, hidden_size: 32, n_layer: 2, n_head: 2, hidden_dropout: 0.1}"},
    {"falcon",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 2, hidden_dropout: 0.1}"},
    {"mpt", "{model_type: mpt, d_model: 32, n_layers: 2, n_heads: 2, attn_config: {attn_pdrop: 0.1}}"},
    {"bert",
     "{model_type: bert, task: masked_lm, vocab_size: 257, hidden_size: 32, intermediate_size: 48, num_hidden_layers: "
     "2, num_attention_heads: 2, hidden_dropout_prob: 0.1}"},
};

/// The description of a family says which matrices can have adapters, and which weights they then are.
TEST(FamilyMatrices, ThoseOfTheDescriptionAreThoseOfTheNetwork) {
    using parallel::Parameter;
    int models = 0;
    for (const std::string& type : families::model_types()) {
        const families::Family& family = families::family_of(type);
        if (!family.lists_tensors())
            continue;
        for (const families::TaskClass& task : family.tasks())
            for (const bool tied : {true, false}) {
                config::ModelRecipe recipe;
                static_cast<families::ModelConfig&>(recipe) = family.small();
                recipe.task = task.task;
                recipe.tie_word_embeddings = tied;
                if (!family.problems(recipe).empty())
                    continue;
                const std::string what = type + ", " + task.task + (tied ? ", tied" : "");
                const auto plain = models::make_model(recipe);
                std::map<std::string, bool> products;
                for (const parallel::Unit* unit : plain->units())
                    for (const Parameter* parameter : unit->parameters())
                        products[parameter->name()] = parameter->product() != Parameter::Product::none;
                for (const families::TensorShape& tensor : family.tensors(recipe))
                    EXPECT_EQ(families::is_linear(recipe, tensor), products.at(tensor.name))
                        << what << ": " << tensor.name;
                recipe.lora.r = 2;
                std::map<std::string, std::vector<std::int64_t>> adapters, described;
                for (const families::TensorShape& tensor : config::adapter_tensors(recipe))
                    described[tensor.name] = tensor.shape;
                if (described.empty()) {  // ResNet has convolutions, and the head is trained whole
                    EXPECT_THROW((void)models::make_model(recipe), UserError) << what;
                    continue;
                }
                const auto adapted = models::make_model(recipe);
                for (const parallel::Unit* unit : adapted->units())
                    for (const Parameter* parameter : unit->parameters())
                        if (config::is_adapter(parameter->name()))
                            adapters[parameter->name()] = parameter->shape();
                EXPECT_EQ(adapters, described) << what;
                ++models;
            }
    }
    EXPECT_GT(models, 20);
}

struct TrainedOn {
    std::vector<double> losses;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights;
};

class FamiliesOnLayouts : public ::testing::TestWithParam<FamilyCase> {
  protected:
    test::TemporaryFolder folder_;

    config::Recipe recipe(const std::string& more) const {
        std::mt19937 random(21);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"rotary ", "router ", "window ", "mask ", "tied\n"};
        for (int i = 0; i < 3000; ++i)
            text << words[random() % 5];
        text.close();
        return config::parse_recipe(std::string("model: ") + GetParam().model +
                                        "\ndata: {path: text.txt, sequence_length: 16}\n"
                                        "optimizer: {lr: 1.0e-3, eps: 1.0e-6}\n" +
                                        more,
                                    folder_.path() / "recipe.yaml");
    }

    static TrainedOn train(const config::Recipe& recipe, int ranks) {
        TrainedOn made;
        std::mutex mutex;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(static_cast<int>(recipe.parallel.pp_size), ranks),
                                std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            std::vector<double> losses;
            while (trainer.position().step < 3)
                losses.push_back(trainer.step().loss);
            const double evaluation = trainer.evaluate().value().loss;
            const NamedTensors weights = trainer.weights();
            std::lock_guard lock(mutex);
            made.losses = losses;
            made.evaluation = evaluation;
            for (const auto& [name, weight] : weights)
                made.weights.emplace(name, weight.clone());
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        return made;
    }

    static void expect_same(const TrainedOn& expected, const TrainedOn& got, const std::string& what) {
        ASSERT_EQ(expected.losses.size(), got.losses.size()) << what;
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            EXPECT_NEAR(expected.losses[i], got.losses[i], 1e-5) << what << ", step " << i + 1;
        EXPECT_NEAR(expected.evaluation, got.evaluation, 1e-5) << what;
        for (const auto& [name, weight] : expected.weights) {
            const auto found = got.weights.find(name);
            ASSERT_NE(found, got.weights.end()) << what << ": " << name;
            EXPECT_LT(weight.sub(found->second).abs().max().item<double>(), 2e-5) << what << ": " << name;
        }
    }
};

TEST_P(FamiliesOnLayouts, TheSameCurve) {
    const TrainedOn expected = train(recipe("training: {steps: 3, batch_size: 8, evaluate_batches: 2}\n"), 1);
    EXPECT_LT(expected.losses.back(), expected.losses.front() + 0.2);
    expect_same(expected,
                train(recipe("training: {steps: 3, batch_size: 8, evaluate_batches: 2, activation_checkpointing: "
                             "yes}\n"),
                      1),
                "recomputed");
    expect_same(expected,
                train(recipe("training: {steps: 3, batch_size: 4, evaluate_batches: 2, activation_checkpointing: yes}\n"
                             "parallel: {zero_stage: 2}\n"),
                      2),
                "two ranks, ZeRO 2, recomputed");
    expect_same(
        expected,
        train(recipe("training: {steps: 3, batch_size: 4, evaluate_batches: 2, activation_checkpointing: selective}\n"
                     "parallel: {zero_stage: 3}\n"),
              2),
        "two ranks, ZeRO 3, recomputed");
    expect_same(
        expected,
        train(recipe("training: {steps: 3, batch_size: 4, gradient_accumulation_steps: 2, evaluate_batches: 4}\n"
                     "parallel: {pp_size: 2}\n"),
              2),
        "two stages");
}

INSTANTIATE_TEST_SUITE_P(Families, FamiliesOnLayouts, ::testing::ValuesIn(kFamilyCases),
                         [](const auto& place) { return std::string(place.param.name); });

TEST(FamiliesInRecipes, SmallModelsOfAllFamiliesAreWrittenAndReadAgain) {
    for (const std::string& type : families::model_types()) {
        const families::Family& family = families::family_of(type);
        if (!family.lists_tensors())
            continue;  // tests/plugins
        for (const families::TaskClass& each : family.tasks()) {
            const std::string format = each.task == "image_classification"                    ? "images"
                                       : each.task == "semantic_segmentation"                 ? "images, mask_path: m"
                                       : each.task == "speech_pretraining"                    ? "audio"
                                       : each.task == "causal_lm" || each.task == "masked_lm" ? "bytes"
                                                                                              : "jsonl";
            const std::string yaml =
                "model: {model_type: " + type + ", task: " + each.task + "}\ndata: {format: " + format + "}\n";
            const config::Recipe recipe = config::parse_recipe(yaml, "r.yaml");
            EXPECT_EQ(config::parse_recipe(config::to_yaml(recipe), "r.yaml"), recipe) << type;
            EXPECT_GT(families::parameter_count(recipe.model), 1000) << type;
            families::SampleSize size = config::sample_size(recipe);
            // Models for images of any size have no size of their own.
            size.height = size.width = std::max<std::int64_t>(size.height, 32);
            EXPECT_GT(family.flops_per_sample(recipe.model, size), 1000) << type;
            EXPECT_EQ(models::make_model(recipe.model)->units().size() > 2, true) << type;
        }
    }
}

TEST(FamiliesInRecipes, KeysOfAnotherFamilyAreRefusedByName) {
    auto problem_of = [](const std::string& keys) -> std::string {
        try {
            config::parse_recipe("model: {" + keys + "}\n", "r.yaml");
            return "";
        } catch (const InvalidInput& error) {
            return error.what();
        }
    };
    EXPECT_THAT(problem_of("model_type: llama, n_embd: 64"),
                test::says("is not a key of {}, which calls it {}", "llama", testing::StartsWith("hidden_size")));
    EXPECT_THAT(problem_of("hidden_size: 64"),
                test::says("is not a key of {}, which calls it {}", "gpt2", testing::StartsWith("n_embd")));
    EXPECT_THAT(problem_of("model_type: llama, num_local_experts: 4"),
                test::says("is not a key of {}{}", "llama", testing::_));
    for (const char* type : {"bloom", "falcon", "mpt", "megatron-bert"})
        EXPECT_THAT(problem_of(std::string("model_type: ") + type + ", sliding_window: 4"),
                    test::says("is not a key of {}{}", type, testing::_));
    EXPECT_THAT(
        problem_of("model_type: llama, num_key_value_heads: 3"),
        test::says("{} ({}) must be a multiple of {} ({})", testing::_, testing::_, "num_key_value_heads", testing::_));
    EXPECT_THAT(problem_of("model_type: llama, rope_parameters: {rope_type: spiral}"),
                test::says("the rope_type '{}' is not known{}", "spiral", testing::_));
    EXPECT_THAT(problem_of("model_type: llama, rope_parameters: {rope_type: linear}"),
                test::says("the rope_type {} needs {}", testing::_, testing::StartsWith("factor")));
    EXPECT_THAT(
        problem_of("model_type: llama, task: masked_lm"),
        test::says("{} cannot be trained for {}: it has {}", testing::_, testing::StartsWith("masked_lm"), testing::_));
    EXPECT_NE(problem_of("model_type: bert, task: sequence_classification").find("data.format"), std::string::npos);
}

}  // namespace
}  // namespace trainyard::train
