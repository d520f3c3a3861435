// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of PEFT (golden/lora): logits with one and with two of them side by side, gradients of a batch, merging and taking out again.

#include <filesystem>
#include <fstream>
#include <map>

#include <ATen/ATen.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "generate/logits.h"
#include "inference/generate/language_model.h"
#include "inference/generate/merge_adapters.h"
#include "models/nn/modules/low_rank.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;
using test::distance;
using test::says;
using testing::_;
using ::testing::HasSubstr;

std::map<std::string, at::Tensor> expected() {
    std::map<std::string, at::Tensor> tensors;
    for (auto& [name, tensor] : test::read_weights(test::golden("lora") / "expected.safetensors"))
        tensors.emplace(name, tensor);
    return tensors;
}

at::Tensor logits_of(const LanguageModel& model, const at::Tensor& ids) {
    return test::logits_of(model.model(), ids);
}

TEST(GoldenLora, LogitsSideBySide) {
    const auto golden = expected();
    const fs::path folder = test::golden("lora");
    const at::Tensor& ids = golden.at("input_ids");
    EXPECT_LT(distance(logits_of(LanguageModel({folder / "gpt2", {}, {}}), ids), golden.at("logits")), 1e-4);
    EXPECT_LT(distance(logits_of(LanguageModel({folder / "gpt2", {}, {{folder / "first", 1}}}), ids),
                       golden.at("logits.first")),
              1e-4);
    EXPECT_LT(distance(logits_of(LanguageModel({folder / "gpt2", {}, {{folder / "matched", 1}}}), ids),
                       golden.at("logits.matched")),
              1e-4)
        << "modules by a regular expression";
    EXPECT_LT(
        distance(
            logits_of(LanguageModel({folder / "gpt2", {}, {{folder / "first", 1}, {folder / "second", 0.5}}}), ids),
            golden.at("logits.both")),
        1e-4);
}

TEST(GoldenLora, GradientsOfAdaptersAndOfNothingElse) {
    const auto golden = expected();
    config::ModelRecipe recipe;
    recipe.vocab_size = 64;
    recipe.n_positions = recipe.n_embd = 32;
    recipe.n_layer = 2;
    recipe.lora.r = 4;
    recipe.lora.lora_alpha = 8;
    recipe.lora.target_modules = {"c_attn", "c_fc"};
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
    checkpoint::load_weights(test::golden("lora") / "gpt2", weights);
    checkpoint::load_weights(test::golden("lora") / "first" / "adapter_model.safetensors", adapters);
    parallel::StepContext context;
    context.tokens = golden.at("input_ids");
    context.labels = context.tokens;  // the head shifts them
    const std::int64_t length = context.tokens.size(1);
    const auto targets = static_cast<double>(context.tokens.size(0) * (length - 1));
    context.loss_scale = 1 / targets;
    context.loss_sum = at::zeros({}, at::kDouble);
    model->forward(context).backward();
    for (parallel::Unit* unit : model->units())
        unit->finish_backward();
    EXPECT_NEAR(context.loss_sum.item<double>() / targets, golden.at("loss").item<double>(), 1e-4);
    std::size_t compared = 0;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (parameter->trains()) {
                const at::Tensor& gradient = golden.at("gradient." + parameter->name());
                EXPECT_LT(distance(parameter->gradient(), gradient), 1e-4 * gradient.abs().max().item<double>() + 1e-6)
                    << parameter->name();
                ++compared;
            }
    EXPECT_EQ(compared, 8u);
}

TEST(GoldenLora, MergedAndTakenOutAgain) {
    const auto golden = expected();
    const fs::path folder = test::golden("lora");
    test::TemporaryFolder out;
    merge_adapters({folder / "gpt2", {}, {{folder / "first", 1}}}, out.path() / "merged");
    for (const auto& [name, tensor] : test::read_weights(out.path() / "merged" / "model.safetensors"))
        if (const auto found = golden.find("merged." + name); found != golden.end()) {
            EXPECT_LT(distance(tensor, found->second), 1e-5) << name;
        }
    EXPECT_LT(distance(logits_of(LanguageModel({out.path() / "merged", {}, {}}), golden.at("input_ids")),
                       golden.at("logits.first")),
              1e-4);
    merge_adapters({out.path() / "merged", {}, {{folder / "first", -1}}}, out.path() / "base");
    EXPECT_LT(
        distance(logits_of(LanguageModel({out.path() / "base", {}, {}}), golden.at("input_ids")), golden.at("logits")),
        1e-4);
}

TEST(GoldenLora, WhatIsNoLoraIsRefused) {
    const fs::path golden = test::golden("lora");
    test::TemporaryFolder folder;
    const auto message = [&](const std::string& config) {
        std::ofstream(folder.path() / "adapter_config.json") << config;
        try {
            LanguageModel model({golden / "gpt2", {}, {{folder.path(), 1}}});
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("it loads");
    };
    EXPECT_THAT(message("{"), HasSubstr("adapter_config.json"));
    EXPECT_THAT(message(R"({"peft_type": "IA3"})"), HasSubstr("LORA"));
    EXPECT_THAT(message(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["q_proj"]})"),
                HasSubstr("c_attn"));
    EXPECT_THAT(message(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": "c_attn"})"),
                HasSubstr("(?:c_attn)"))
        << "an expression of whole names";
    EXPECT_THAT(message(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": "(c_attn"})"),
                says("the regular expression '{}' cannot be used: {} (at character {})", _, _, _));
    EXPECT_THAT(
        message(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["c_attn"], "use_dora": true})"),
        HasSubstr("use_dora"));
    const auto whole = [&](const std::string& module) {
        return message(
            R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["c_attn"], "modules_to_save": [")" +
            module + "\"]}");
    };
    EXPECT_THAT(
        whole("classifier"),
        says("{} has modules_to_save {}, and the model has none of them: it is of another model or task", _, _));
    EXPECT_THAT(whole("wte"), says("{} brings {}, which is tied to the output layer here: merge it with PEFT", _, _));
    EXPECT_THAT(message(R"({"peft_type": null})"), HasSubstr("LORA"));
    EXPECT_THAT(message(R"([])"), says("{} is not a configuration of an adapter: it is not an object", _));
    EXPECT_THAT(message(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["c_attn"]})"),
                says("{} does not exist: name a folder of PEFT's layout, with adapter_model.safetensors", _));
}

}  // namespace
}  // namespace trainyard::generate
