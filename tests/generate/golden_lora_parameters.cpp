// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of PEFT for parameters of transformers' modules (golden/lora_parameters): the experts of Mixtral, which are one parameter there, its router,
// matrices of GPT-2. Logits, gradients, side by side, merged and taken out again, and the files that are written.

#include <filesystem>
#include <map>
#include <set>

#include <ATen/ATen.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/start_weights.h"
#include "generate/logits.h"
#include "inference/generate/adapters.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/merge_adapters.h"
#include "models/nn/modules/low_rank.h"
#include "models/spec/family.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::distance;
using test::logits_of;
using test::says;
using testing::_;
using ::testing::HasSubstr;

std::map<std::string, at::Tensor> tensors_of(const fs::path& file) {
    std::map<std::string, at::Tensor> tensors;
    for (auto& [name, tensor] : test::read_weights(file))
        tensors.emplace(name, tensor);
    return tensors;
}

class GoldenLoraParameters : public ::testing::TestWithParam<std::string> {
  protected:
    const fs::path folder_ = test::golden("lora_parameters") / GetParam();
    const fs::path base_ = base_of_adapter(folder_);
    const std::map<std::string, at::Tensor> golden_ = tensors_of(folder_ / "expected.safetensors");

    config::ModelRecipe recipe() const {
        config::ModelRecipe recipe;
        recipe.weights = base_.string();
        recipe = inputs::settle_model(recipe).model;
        recipe.lora = inputs::read_adapter_config(folder_).lora;
        return recipe;
    }
};

TEST_P(GoldenLoraParameters, LogitsAndTheWeightsOnceMerged) {
    const at::Tensor& ids = golden_.at("input_ids");
    const ModelSource plain{base_, {}, {}}, adapted{base_, {}, {{folder_, 1}}};
    const at::Tensor without = logits_of(LoadedModel(plain).model(), ids);
    EXPECT_LT(distance(logits_of(LoadedModel(adapted).model(), ids), golden_.at("logits")), 1e-4);
    EXPECT_GT(distance(without, golden_.at("logits")), 1e-2) << "the adapter matters";

    test::TemporaryFolder out;
    merge_adapters(adapted, out.path() / "merged");
    const auto before = tensors_of(base_ / "model.safetensors"),
               merged = tensors_of(out.path() / "merged" / "model.safetensors");
    EXPECT_EQ(merged.size(), before.size());
    for (const auto& [name, tensor] : merged) {
        const auto changed = golden_.find("merged." + name);
        EXPECT_LT(distance(tensor, changed != golden_.end() ? changed->second : before.at(name)), 1e-5) << name;
    }
    merge_adapters({out.path() / "merged", {}, {{folder_, -1}}}, out.path() / "base");
    EXPECT_LT(distance(logits_of(LoadedModel({out.path() / "base", {}, {}}).model(), ids), without), 1e-4);
}

TEST_P(GoldenLoraParameters, ATrainingHasItsGradients) {
    config::ModelRecipe recipe = this->recipe();
    recipe.resid_pdrop = recipe.embd_pdrop = recipe.attn_pdrop = 0;
    const auto model = models::make_model(recipe);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, false);
    std::vector<checkpoint::LogicalTensor> weights, adapters;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters()) {
            const bool adapter = config::is_adapter(parameter->name());
            EXPECT_EQ(parameter->trains(), adapter) << parameter->name();
            (adapter ? adapters : weights)
                .push_back(checkpoint::LogicalTensor::of_whole(
                    adapter ? models::peft_name(parameter->name()) : parameter->name(), parameter->value()));
        }
    checkpoint::load_weights(base_, weights);
    checkpoint::load_weights(folder_ / "adapter_model.safetensors", adapters);
    parallel::StepContext context;
    context.tokens = golden_.at("input_ids");
    context.labels = context.tokens;
    context.training = false;
    const double targets = model->count_targets(context);
    context.loss_scale = 1 / targets;
    context.loss_sum = at::zeros({}, at::kDouble);
    model->forward(context).backward();
    for (parallel::Unit* unit : model->units())
        unit->finish_backward();
    EXPECT_NEAR(context.loss_sum.item<double>() / targets, golden_.at("loss").item<double>(), 1e-4);
    std::size_t compared = 0;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (parameter->trains()) {
                const at::Tensor& expected = golden_.at("gradient." + parameter->name());
                EXPECT_LT(distance(parameter->gradient(), expected), 1e-4 * expected.abs().max().item<double>() + 1e-5)
                    << parameter->name();
                ++compared;
            }
    EXPECT_EQ(compared, static_cast<std::size_t>(std::ranges::count_if(
                            golden_, [](const auto& entry) { return entry.first.starts_with("gradient."); })));
}

TEST_P(GoldenLoraParameters, TheFileThatIsWrittenSaysTheSame) {
    const config::ModelRecipe recipe = this->recipe();
    const auto model = models::make_model(recipe);
    const json written = json::parse(models::adapter_config(*model, recipe, models::adapted_modules(*model))),
               peft = json::parse(read_file(folder_ / "adapter_config.json"));
    const auto words = [](const json& list) { return list.get<std::set<std::string>>(); };
    EXPECT_EQ(words(written.at("target_parameters")), words(peft.at("target_parameters")));
    EXPECT_EQ(words(written.at("target_modules")), words(peft.at("target_modules")));
    EXPECT_EQ(written.at("fan_in_fan_out"), peft.at("fan_in_fan_out"));
    std::set<std::string> ours, theirs;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (config::is_of_adapter_file(recipe, parameter->name()))
                ours.insert(models::peft_name(parameter->name()));
    for (const auto& [name, tensor] : tensors_of(folder_ / "adapter_model.safetensors"))
        theirs.insert(name);
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(inputs::parse_adapter_config(written.dump(), "adapter_config.json").lora.target_parameters,
              recipe.lora.target_parameters);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenLoraParameters,
                         ::testing::Values("experts", "experts_more", "router_and_down", "gate_up_of_a_block", "gpt2"),
                         [](const auto& made) { return test::case_name(made.param, made.index); });

TEST(LoraParameters, SideBySide) {
    const fs::path folder = test::golden("lora_parameters");
    const LoadedModel model(
        {base_of_adapter(folder / "experts"), {}, {{folder / "experts", 1}, {folder / "experts_more", 0.5}}});
    EXPECT_LT(
        distance(logits_of(model.model(), tensors_of(folder / "experts" / "expected.safetensors").at("input_ids")),
                 tensors_of(folder / "both.safetensors").at("logits")),
        1e-4);
}

TEST(LoraParameters, WhatGetsNoAdapterIsRefused) {
    const auto message = [](const std::string& model_type, std::vector<std::string> modules,
                            std::vector<std::string> parameters) {
        config::ModelRecipe recipe;
        static_cast<families::ModelConfig&>(recipe) = families::family_of(model_type).small();
        recipe.lora.r = 2;
        recipe.lora.target_modules = std::move(modules);
        recipe.lora.target_parameters = std::move(parameters);
        try {
            models::make_model(recipe);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("it is made");
    };
    EXPECT_EQ(message("mixtral", {}, {"experts.down_proj"}), "it is made");
    EXPECT_THAT(message("mixtral", {}, {"wrong"}),
                says("lora.target_parameters: none of {} is the end of a parameter's name, such as {}", "wrong", _));
    EXPECT_THAT(message("mixtral", {}, {"embed_tokens.weight"}), HasSubstr("model.embed_tokens.weight"));
    EXPECT_THAT(message("gpt2", {"c_proj"}, {"c_attn.weight"}),
                says("lora.target_modules: {} has its weight as [in, out], which PEFT does not adapt beside "
                     "lora.target_parameters: name {}.weight there",
                     _, _));
    EXPECT_THROW(
        inputs::parse_adapter_config(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": []})", "x"),
        UserError);
}

}  // namespace
}  // namespace trainyard::generate
