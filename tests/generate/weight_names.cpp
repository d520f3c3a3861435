// SPDX-License-Identifier: GPL-3.0-or-later
// Files whose tensors have names of earlier or later versions of transformers, or the second name of a tied tensor, are
// the same model.

#include <filesystem>
#include <functional>
#include <map>

#include <ATen/ops/zeros_like.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/model_export.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/start_weights.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/write_weights.h"
#include "inference/generate/loaded_model.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;

using Renaming = std::function<std::string(const std::string& name)>;

std::map<std::string, at::Tensor> values_of(const LoadedModel& model) {
    std::map<std::string, at::Tensor> values;
    for (const parallel::Unit* unit : model.model().units())
        for (const parallel::Parameter* parameter : unit->parameters())
            values.emplace(parameter->name(), parameter->value());
    return values;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

void expect_same(const std::string& model, const Renaming& rename) {
    SCOPED_TRACE(model);
    const fs::path golden = test::own_golden("models") / model;
    test::TemporaryFolder folder;
    NamedTensors tensors;
    std::size_t renamed = 0;
    for (auto& [name, tensor] : test::read_weights(golden / "model.safetensors")) {
        const std::string other = rename(name);
        renamed += other != name ? 1 : 0;
        if (!other.empty())
            tensors.emplace_back(other, tensor);
    }
    ASSERT_GT(renamed, 0u);
    checkpoint::save_model(tensors, folder.path());
    fs::copy_file(golden / "config.json", folder.path() / "config.json");
    config::ModelRecipe recipe;
    recipe.weights = folder.path().string();
    recipe = inputs::settle_model(recipe).model;
    for (const inputs::InputProblem& problem : inputs::check_start_weights(recipe))
        ADD_FAILURE() << problem.message;
    const LoadedModel expected({golden, {}, {}}), made({folder.path(), {}, {}});
    const auto values = values_of(made);
    for (const auto& [name, value] : values_of(expected))
        EXPECT_TRUE(values.at(name).equal(value)) << name;
}

TEST(WeightNames, OfBertFromTensorFlow) {
    expect_same("bert_classification", [](const std::string& name) {
        return replaced(replaced(name, "LayerNorm.weight", "LayerNorm.gamma"), "LayerNorm.bias", "LayerNorm.beta");
    });
    expect_same("bert_classification", [](const std::string& name) {
        return replaced(
            replaced(name.starts_with("bert.") ? name.substr(5) : name, "LayerNorm.weight", "LayerNorm.gamma"),
            "LayerNorm.bias", "LayerNorm.beta");
    });
}

// transformers 5 computes with the experts of a block in two tensors, and Accelerate's save_state writes them so.
TEST(WeightNames, OfMixtralsJoinedExperts) {
    for (const char* name : {"mixtral_aux", "mixtral_left_tied"}) {
        SCOPED_TRACE(name);
        const fs::path golden = test::own_golden("models") / name;
        test::TemporaryFolder folder;
        Progress progress;
        weights::write_weights(*weights::joined_experts(weights::open_weights(golden)), {.output = folder.path()},
                               progress);
        fs::copy_file(golden / "config.json", folder.path() / "config.json");
        ASSERT_TRUE(weights::has_joined_experts(*weights::open_weights(folder.path())));
        config::ModelRecipe recipe;
        recipe.weights = folder.path().string();
        recipe = inputs::settle_model(recipe).model;
        for (const inputs::InputProblem& problem : inputs::check_start_weights(recipe))
            ADD_FAILURE() << problem.message;
        const LoadedModel expected({golden, {}, {}}), made({folder.path(), {}, {}});
        EXPECT_THAT(made.warnings(), ::testing::IsEmpty());
        const auto values = values_of(made);
        for (const auto& [parameter, value] : values_of(expected))
            EXPECT_TRUE(values.at(parameter).equal(value)) << parameter;
        config::Recipe resumed;
        resumed.model = recipe;
        EXPECT_THAT(inputs::check_save_state(folder.path(), resumed),
                    ::testing::Contains(test::says(
                        "{} has the experts of a block in two tensors, as transformers 5 computes with them, and "
                        "optimizer state of these is not read: start from the weights alone with model.weights",
                        testing::_)));
        // A training that starts from them.
        std::vector<checkpoint::LogicalTensor> wanted;
        for (const auto& [parameter, value] : values_of(expected))
            wanted.push_back(checkpoint::LogicalTensor::of_whole(parameter, at::zeros_like(value)));
        checkpoint::load_weights(folder.path(), wanted);
        for (const checkpoint::LogicalTensor& tensor : wanted)
            EXPECT_TRUE(tensor.local.equal(values.at(tensor.name))) << tensor.name;
    }
}

TEST(WeightNames, OfVitSinceVersion5) {
    expect_same("vit_classification", [](std::string name) {
        for (const auto& [old, now] :
             std::vector<std::pair<std::string, std::string>>{{"encoder.layer.", "layers."},
                                                              {"attention.attention.query", "attention.q_proj"},
                                                              {"attention.attention.key", "attention.k_proj"},
                                                              {"attention.attention.value", "attention.v_proj"},
                                                              {"attention.output.dense", "attention.o_proj"},
                                                              {"intermediate.dense", "mlp.fc1"},
                                                              {"output.dense", "mlp.fc2"}})
            name = replaced(name, old, now);
        return name;
    });
}

TEST(WeightNames, OfGptNeoxSinceVersion5) {
    expect_same("gpt_neox", [](const std::string& name) {
        return name == "embed_out.weight" ? std::string("lm_head.weight") : name;
    });
}

TEST(WeightNames, SecondNamesOfTiedTensors) {
    expect_same("gpt2", [](const std::string& name) {
        return name == "transformer.wte.weight" ? std::string("lm_head.weight") : name;
    });
    expect_same("gpt2",
                [](const std::string& name) { return name.starts_with("transformer.") ? name.substr(12) : name; });
    expect_same("qwen2_tied", [](const std::string& name) {
        return name == "model.embed_tokens.weight" ? std::string("lm_head.weight") : name;
    });
    expect_same("t5", [](const std::string& name) {
        return name == "shared.weight" ? std::string("encoder.embed_tokens.weight") : name;
    });
}

TEST(WeightNames, AHeadIsNotTheTableOfAnUntiedModel) {
    const fs::path golden = test::own_golden("models") / "llama_gqa";
    test::TemporaryFolder folder;
    NamedTensors tensors;
    for (auto& [name, tensor] : test::read_weights(golden / "model.safetensors"))
        if (name != "model.embed_tokens.weight")
            tensors.emplace_back(name, tensor);
    checkpoint::save_model(tensors, folder.path());
    fs::copy_file(golden / "config.json", folder.path() / "config.json");
    try {
        const LoadedModel model({folder.path(), {}, {}});
        ADD_FAILURE() << "it loads";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), test::says("{} has no tensor {}: {}", testing::_,
                                             testing::StartsWith("model.embed_tokens.weight"), testing::_));
    }
}

}  // namespace
}  // namespace trainyard::generate
