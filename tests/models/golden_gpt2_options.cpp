// SPDX-License-Identifier: GPL-3.0-or-later
// Golden topic gpt2_options: transformers' GPT-2 with every option of GPT2Config, and with its weights stored in every way. A recipe that says nothing
// but model.weights must train the model that the folder holds. Every folder is a case.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "config/inputs/start_weights.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/nn/model.h"
#include "models/spec/config_file.h"
#include "support/golden.h"
#include "support/golden_tensors.h"

namespace trainyard::models {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<fs::path> option_cases() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("gpt2_options")))
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class GoldenGpt2Options : public ::testing::TestWithParam<fs::path> {
  protected:
    /// The model of a recipe that names the folder and nothing else.
    config::ModelRecipe recipe() const {
        config::ModelRecipe model;
        model.weights = GetParam().string();
        inputs::SettledModel settled = inputs::settle_model(model);
        for (const inputs::InputProblem& problem : settled.problems)
            ADD_FAILURE() << problem.key << ": " << problem.message;
        for (const inputs::InputProblem& problem : inputs::check_start_weights(settled.model))
            ADD_FAILURE() << problem.key << ": " << problem.message;
        return settled.model;
    }
};

TEST_P(GoldenGpt2Options, LossLogitsAndEveryGradient) {
    const config::ModelRecipe model_recipe = recipe();
    std::unique_ptr<Model> model = make_model(model_recipe);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, true);
    std::vector<checkpoint::LogicalTensor> weights;
    for (const auto& group : arena.groups())
        for (const auto* parameter : group.parameters())
            weights.push_back(checkpoint::LogicalTensor::of_whole(parameter->name(), parameter->value()));
    checkpoint::load_weights(model_recipe.weights, weights);

    const json expected = json::parse(read_file(GetParam() / "expected.json"));
    const weights::SafetensorsFile values(GetParam() / "expected.safetensors");
    parallel::StepContext context;
    context.tokens = test::golden_tensor(values, "input_ids");
    context.labels = test::golden_tensor(values, "labels");
    const double targets =
        context.labels.narrow(1, 1, context.labels.size(1) - 1).ne(kIgnoredLabel).sum().item<double>();
    context.loss_scale = 1 / targets;
    context.loss_sum = at::zeros({}, at::kDouble);
    at::Tensor logits;
    context.logits = &logits;
    model->forward(context).backward();
    EXPECT_NEAR(context.loss_sum.item<double>() / targets, expected.at("loss").get<double>(), 2e-6);
    EXPECT_LT(logits.sub(test::golden_tensor(values, "logits")).abs().max().item<float>(), 2e-5);
    EXPECT_EQ(arena.parameter_count(), expected.at("parameters").get<std::int64_t>());
    std::size_t compared = 0;
    for (auto& group : arena.groups()) {
        group.settle_gradients();
        for (const auto* parameter : group.parameters()) {
            const at::Tensor wanted = test::golden_tensor(values, "gradient." + parameter->name());
            const float difference = wanted.sub(parameter->gradient()).abs().max().item<float>();
            EXPECT_LT(difference, 2e-5f * std::max(1.0f, wanted.abs().max().item<float>())) << parameter->name();
            ++compared;
        }
    }
    EXPECT_EQ(compared + 3, values.tensors().size()) << "beside input_ids, labels and logits";
}

TEST_P(GoldenGpt2Options, TheFamilyNamesTheTensorsOfTheNetwork) {
    const config::ModelRecipe model_recipe = recipe();
    std::unique_ptr<Model> model = make_model(model_recipe);
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> built, told;
    for (const parallel::Unit* unit : model->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            built.emplace_back(parameter->name(), parameter->shape());
    for (const families::TensorShape& tensor : families::family_of(model_recipe).tensors(model_recipe))
        told.emplace_back(tensor.name, tensor.shape);
    EXPECT_EQ(built, told);
}

TEST_P(GoldenGpt2Options, TheExportSaysWhatWasTrained) {
    const json theirs = json::parse(read_file(GetParam() / "config.json"));
    const config::ModelRecipe model_recipe = recipe();
    const std::string text = make_model(model_recipe)->config_json();
    const json ours = json::parse(text);
    for (const families::ConfigKey& key : families::family_of(model_recipe).keys())
        EXPECT_EQ(ours.at(key.name), theirs.at(key.name)) << key.name;
    EXPECT_EQ(ours.at("architectures"), json::array({"GPT2LMHeadModel"}));
    EXPECT_EQ(families::read_config(text, "ours").config, static_cast<const families::ModelConfig&>(model_recipe));
}

INSTANTIATE_TEST_SUITE_P(Options, GoldenGpt2Options, ::testing::ValuesIn(option_cases()), [](const auto& place) {
    return test::case_name(place.param.filename().string(), place.index);
});

}  // namespace
}  // namespace trainyard::models
