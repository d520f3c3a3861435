// SPDX-License-Identifier: GPL-3.0-or-later
// Every decoder, and an encoder, with and without an adapter of PEFT (golden/adapters): logits, the loss and its gradients, continued texts, and the
// same logits once the adapter is merged.

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <ATen/ATen.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/start_weights.h"
#include "generate/logits.h"
#include "inference/generate/language_model.h"
#include "inference/generate/merge_adapters.h"
#include "models/nn/modules/low_rank.h"
#include "support/golden.h"
#include "support/temporary_folder.h"
#include "support/weights_file.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::distance;

class GoldenAdapters : public ::testing::TestWithParam<std::string> {
  protected:
    GoldenAdapters() {
        for (auto& [name, tensor] : test::read_weights(folder_ / "expected.safetensors"))
            golden_.emplace(name, tensor);
    }
    at::Tensor logits_of(const models::Model& model) const { return test::logits_of(model, golden_.at("input_ids")); }
    bool is_decoder() const { return fs::exists(folder_ / "cases.json"); }

    const fs::path folder_ = test::golden("adapters") / GetParam();
    const fs::path base_ = test::golden("models") / GetParam();
    std::map<std::string, at::Tensor> golden_;
};

TEST_P(GoldenAdapters, LogitsWithTheAdapterWithoutItAndMerged) {
    EXPECT_LT(distance(logits_of(LoadedModel({base_, {}, {}}).model()), golden_.at("logits")), 1e-4);
    EXPECT_LT(distance(logits_of(LoadedModel({base_, {}, {{folder_, 1}}}).model()), golden_.at("logits.adapter")),
              1e-4);
    test::TemporaryFolder out;
    merge_adapters({base_, {}, {{folder_, 1}}}, out.path() / "merged", {.max_shard_size = "20KB"});
    EXPECT_TRUE(fs::exists(out.path() / "merged" / "model.safetensors.index.json")) << "in shards";
    EXPECT_LT(distance(logits_of(LoadedModel({out.path() / "merged", {}, {}}).model()), golden_.at("logits.adapter")),
              1e-4);
}

TEST_P(GoldenAdapters, ATrainingStartsFromItAndHasItsGradients) {
    config::ModelRecipe recipe;
    recipe.weights = base_.string();
    inputs::SettledModel settled = inputs::settle_model(recipe);
    ASSERT_TRUE(settled.problems.empty()) << settled.problems.front().message;
    recipe = settled.model;
    std::ifstream file(folder_ / "adapter_config.json");
    recipe.lora =
        inputs::parse_adapter_config(std::string(std::istreambuf_iterator<char>(file), {}), "adapter_config.json").lora;
    recipe.resid_pdrop = recipe.embd_pdrop = recipe.attn_pdrop = 0;
    const auto model = models::make_model(recipe);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, false);
    std::vector<checkpoint::LogicalTensor> weights, adapters;
    std::size_t trained = 0;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters()) {
            const bool of_file = config::is_of_adapter_file(recipe, parameter->name());
            EXPECT_EQ(parameter->trains(), of_file) << parameter->name();
            (of_file ? adapters : weights)
                .push_back(checkpoint::LogicalTensor::of_whole(
                    of_file ? models::peft_name(parameter->name()) : parameter->name(), parameter->value()));
            trained += of_file ? 1 : 0;
        }
    checkpoint::load_weights(base_, weights);
    checkpoint::load_weights(folder_ / "adapter_model.safetensors", adapters);
    parallel::StepContext context;
    context.tokens = golden_.at("input_ids");
    context.labels = golden_.at("labels");
    context.training = false;
    const double targets = model->count_targets(context);
    context.loss_scale = 1 / targets;
    context.loss_sum = at::zeros({}, at::kDouble);
    model->forward(context).backward();
    for (parallel::Unit* unit : model->units())
        unit->finish_backward();
    const double loss = golden_.at("loss").item<double>();
    EXPECT_NEAR(context.loss_sum.item<double>() / targets, loss, 1e-4 * std::max(1.0, std::abs(loss)));
    std::size_t compared = 0;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (parameter->trains()) {
                const at::Tensor& expected = golden_.at("gradient." + parameter->name());
                EXPECT_LT(distance(parameter->gradient(), expected), 1e-4 * expected.abs().max().item<double>() + 1e-5)
                    << parameter->name();
                ++compared;
            }
    EXPECT_EQ(compared, trained);
    EXPECT_EQ(compared, static_cast<std::size_t>(std::ranges::count_if(
                            golden_, [](const auto& entry) { return entry.first.starts_with("gradient."); })));
}

TEST_P(GoldenAdapters, AllLinearIsWhatPeftAdaptsAndTheFileThatIsWrittenSaysSo) {
    config::ModelRecipe recipe;
    recipe.weights = base_.string();
    recipe = inputs::settle_model(recipe).model;
    recipe.lora.r = 2;
    const auto model = models::make_model(recipe);
    std::set<std::string> ours, peft;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (config::is_of_adapter_file(recipe, parameter->name()))
                ours.insert(models::peft_name(parameter->name()));
    for (const auto& [name, tensor] : test::read_weights(folder_ / "adapter_model.safetensors"))
        peft.insert(name);
    EXPECT_EQ(ours, peft);

    const std::vector<std::string> modules = models::adapted_modules(*model);
    const std::string written = models::adapter_config(*model, recipe, modules);
    std::ifstream file(folder_ / "adapter_config.json");
    EXPECT_EQ(json::parse(written).at("task_type"), json::parse(file).at("task_type"));
    config::ModelRecipe again = recipe;
    again.lora = inputs::parse_adapter_config(written, "adapter_config.json").lora;
    EXPECT_EQ(again.lora.r, 2);
    EXPECT_EQ(models::adapted_modules(*models::make_model(again)), modules);
}

TEST_P(GoldenAdapters, TextsThatItContinues) {
    if (!is_decoder()) {
        EXPECT_THROW(LanguageModel({base_, {}, {}}), UserError);
        return;
    }
    std::ifstream file(folder_ / "cases.json");
    const json all = json::parse(file);
    const LoadedModel plain({base_, {}, {}}), adapted({base_, {}, {{folder_, 1}}});
    std::size_t seen = 0;
    for (const json& one : all.at("cases")) {
        SCOPED_TRACE(one.at("options").dump() + one.at("prompt").dump() + one.at("adapter").dump());
        GenerationOptions options;
        options.max_new_tokens = one.at("options").at("max_new_tokens");
        options.num_beams = one.at("options").value("num_beams", 1);
        const LoadedModel& model = one.at("adapter").get<bool>() ? adapted : plain;
        EXPECT_EQ(json(generate(model.model(), one.at("prompt"), model.config().n_positions, at::kCPU, options).tokens),
                  one.at("expected"));
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

std::vector<std::string> golden_names() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(test::golden("adapters")))
        if (entry.is_directory())
            names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenAdapters, ::testing::ValuesIn(golden_names()),
                         [](const auto& made) { return test::case_name(made.param, made.index); });

}  // namespace
}  // namespace trainyard::generate
