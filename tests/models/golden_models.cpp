// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our models with the results of transformers for the same weight file: forward, backward, and five AdamW
// steps. Every folder models/<case> of the golden files is a case. A recipe with only model.weights must train the
// model of that folder.

#include <algorithm>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "config/inputs/start_weights.h"
#include "models/nn/model.h"
#include "models/spec/config_file.h"
#include "support/golden.h"
#include "support/golden_tensors.h"
#include "train/flat_optimizer.h"
#include "train/loop/update_flow.h"

namespace trainyard::models {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

config::ModelRecipe recipe_of(const fs::path& folder) {
    config::ModelRecipe model;
    model.weights = folder.string();
    const inputs::SettledModel settled = inputs::settle_model(model);
    for (const inputs::InputProblem& problem : settled.problems)
        ADD_FAILURE() << problem.key << ": " << problem.message;
    for (const inputs::InputProblem& problem : inputs::check_start_weights(settled.model))
        ADD_FAILURE() << problem.key << ": " << problem.message;
    return settled.model;
}

struct Case {
    fs::path folder;
    json expected;
    weights::SafetensorsFile values;
    config::ModelRecipe recipe;
    std::unique_ptr<Model> model;
    parallel::FlatArena arena;
    double tolerance, logit_tolerance;

    explicit Case(const fs::path& path)
        : folder(path),
          expected(json::parse(read_file(path / "expected.json"))),
          values(path / "expected.safetensors"),
          recipe(recipe_of(path)),
          model(make_model(recipe)),
          arena(model->groups(), at::kFloat, at::kCPU, true),
          tolerance(std::max(1e-5, 20 * expected.at("distance_to_fp64").at("losses").get<double>())),
          logit_tolerance(std::max(1e-4, 20 * expected.at("distance_to_fp64").at("logits").get<double>())) {
        std::vector<checkpoint::LogicalTensor> weights;
        for (const auto& group : arena.groups())
            for (const auto* parameter : group.parameters())
                weights.push_back(checkpoint::LogicalTensor::of_whole(parameter->name(), parameter->value()));
        for (const parallel::Unit* unit : model->units())
            for (const auto& buffer : unit->buffers())
                weights.push_back(checkpoint::LogicalTensor::of_whole(buffer->name, buffer->value));
        checkpoint::load_weights(folder, weights);
        arena.refresh_compute();
    }

    parallel::StepContext context() const {
        parallel::StepContext made;
        made.tokens = test::golden_tensor_or_none(values, "input_ids");
        made.attention_mask = test::golden_tensor_or_none(values, "attention_mask");
        made.labels = test::golden_tensor(values, "labels");
        for (const char* name : {"token_type_ids", "pixel_values", "input_values", "sampled_negative_indices"})
            if (at::Tensor input = test::golden_tensor_or_none(values, name); input.defined())
                made.inputs.emplace_back(name, input);
        made.loss_sum = at::zeros({}, at::kDouble);
        return made;
    }

    double step(bool training, at::Tensor* logits = nullptr, at::Tensor* final_loss = nullptr) {
        arena.forget_gradients();
        parallel::StepContext step = context();
        const double targets = model->count_targets(step);
        step.loss_scale = 1.0 / targets;
        step.logits = logits;
        step.training = training;
        at::AutoGradMode with_gradients(training);
        at::Tensor loss = model->forward(step);
        if (final_loss != nullptr)
            *final_loss = loss;
        if (training) {
            loss.backward();
            for (auto& group : arena.groups())
                group.settle_gradients();
        }
        return step.loss_sum.item<double>() / targets;
    }

    void expect_logits(const at::Tensor& logits, const std::string& name) const {
        constexpr double kNever = -1e4;  // stands for a logit of minus infinity
        at::Tensor difference = logits.clamp_min(kNever).sub(test::golden_tensor(values, name)).abs();
        if (expected.at("task") == "causal")  // padded positions are not compared
            difference.mul_(test::golden_tensor(values, "attention_mask").unsqueeze(2));
        EXPECT_LT(difference.max().item<float>(), logit_tolerance) << name;
    }
};

std::vector<fs::path> cases() {
    std::vector<fs::path> found;
    // Models of multiple choice are not divided into pipeline stages, as all of `models` are elsewhere.
    for (const char* topic : {"models", "choice_models", "segmentation_models", "speech_models"})
        for (const auto& entry : fs::directory_iterator(test::golden(topic)))
            if (entry.is_directory())
                found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// A bias of keys moves no attention probability: its gradient is rounding noise, which Adam makes as large as any
/// other. After five steps such entries differ between two correct programs.
bool has_key_bias(const std::string& name) {
    for (const char* end : {"c_attn.bias", "k_proj.bias", "key.bias", "k_lin.bias", "query_key_value.bias"})
        if (name.ends_with(end))
            return true;
    return false;
}

class GoldenModels : public ::testing::TestWithParam<fs::path> {};

TEST_P(GoldenModels, LossLogitsAndGradients) {
    Case golden(GetParam());
    at::Tensor logits;
    EXPECT_NEAR(golden.step(false, &logits), golden.expected.at("eval_loss").get<double>(), golden.tolerance);
    golden.expect_logits(logits, "logits");
    EXPECT_NEAR(golden.step(true), golden.expected.at("loss").get<double>(), golden.tolerance);
    std::size_t compared = 0;
    for (const auto& group : golden.arena.groups())
        for (const auto* parameter : group.parameters()) {
            const double expected = golden.expected.at("gradient_norms").at(parameter->name());
            EXPECT_NEAR(parameter->gradient().norm().item<double>(), expected,
                        2 * golden.tolerance * std::max(1.0, expected))
                << parameter->name();
            ++compared;
        }
    EXPECT_EQ(compared, golden.expected.at("gradient_norms").size());
    EXPECT_EQ(golden.arena.parameter_count(), golden.expected.at("parameters_counted_once").get<std::int64_t>());
}

TEST_P(GoldenModels, FiveStepsOfAdamW) {
    Case golden(GetParam());
    const json& training = golden.expected.at("training");
    config::OptimizerRecipe recipe;
    recipe.lr = training.at("lr");
    recipe.beta1 = training.at("betas")[0];
    recipe.beta2 = training.at("betas")[1];
    recipe.eps = training.at("eps");
    recipe.weight_decay = training.at("weight_decay");
    recipe.decay_all = true;
    train::FlatOptimizer optimizer(golden.arena, recipe);
    const double limit = training.at("clip_grad_norm");
    for (std::size_t i = 0; i < training.at("losses").size(); ++i) {
        EXPECT_NEAR(golden.step(true), training["losses"][i].get<double>(), golden.tolerance) << "step " << i;
        const double norm = at::linalg_vector_norm(golden.arena.gradients()).item<double>();
        EXPECT_NEAR(norm, training["gradient_norms_before_clip"][i].get<double>(), std::max(1e-4, 4 * golden.tolerance))
            << "step " << i;
        optimizer.set_gradient_divisor(train::clip_divisor(norm, limit));
        optimizer.step();
    }
    // Batch norm removes what the convolution before it adds to all: those gradients are rounding noise, too.
    const bool has_running_statistics = !families::family_of(golden.recipe).buffers(golden.recipe).empty();
    if (has_running_statistics)
        golden.logit_tolerance *= 10;
    // If two values differ only by rounding, a maximum may select either of them, and all later steps differ. Golden
    // files of such models state the distance of their fp32 logits from fp64, which widens the tolerance.
    golden.logit_tolerance =
        std::max(golden.logit_tolerance, 2 * golden.expected.at("distance_to_fp64").value("final_logits", 0.0));
    for (const auto& group : golden.arena.groups())
        for (const auto* parameter : group.parameters()) {
            const double expected = golden.expected.at("final_norms").at(parameter->name());
            const double share =
                has_key_bias(parameter->name()) || has_running_statistics ? 3e-3 : 2 * golden.tolerance;
            EXPECT_NEAR(parameter->value().norm().item<double>(), expected, share * std::max(1.0, expected))
                << parameter->name();
        }
    at::Tensor logits;
    golden.step(false, &logits);
    golden.expect_logits(logits, "final_logits");
}

TEST_P(GoldenModels, GreedyContinuationWithACache) {
    Case golden(GetParam());
    if (!golden.expected.contains("greedy_ids"))
        return;
    const std::vector<std::int64_t> wanted = golden.expected["greedy_ids"];
    parallel::KeyValueCache cache;
    at::NoGradGuard no_grad;
    at::Tensor next = test::golden_tensor(golden.values, "input_ids").narrow(0, 0, 1).narrow(1, 0, 6);
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i + 6 < wanted.size() || i == 0; ++i) {
        parallel::StepContext context;
        at::Tensor logits;
        context.tokens = next;
        context.training = false;
        context.cache = &cache;
        context.logits = &logits;
        golden.model->forward(context);
        next = logits.select(1, logits.size(1) - 1).argmax(-1, true);
        made.push_back(next.item<std::int64_t>());
    }
    EXPECT_EQ(made, std::vector<std::int64_t>(wanted.end() - std::ssize(made), wanted.end()));
}

TEST_P(GoldenModels, TheFamilyNamesTheTensorsOfTheNetwork) {
    const config::ModelRecipe recipe = recipe_of(GetParam());
    const std::unique_ptr<Model> model = make_model(recipe);
    const families::Family& family = families::family_of(recipe);
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> built, told, kept, stored_expected;
    for (const parallel::Unit* unit : model->units()) {
        for (const parallel::Parameter* parameter : unit->parameters())
            built.emplace_back(parameter->name(), parameter->shape());
        for (const auto& buffer : unit->buffers())
            kept.emplace_back(buffer->name, buffer->value.sizes().vec());
    }
    for (const families::TensorShape& tensor : family.tensors(recipe))
        told.emplace_back(tensor.name, tensor.shape);
    for (const families::TensorShape& tensor : family.buffers(recipe))
        stored_expected.emplace_back(tensor.name, tensor.shape);
    EXPECT_EQ(built, told);
    EXPECT_EQ(kept, stored_expected);
}

TEST_P(GoldenModels, TheExportSaysWhatWasTrained) {
    const json theirs = json::parse(read_file(GetParam() / "config.json"));
    const config::ModelRecipe recipe = recipe_of(GetParam());
    const std::string text = families::write_config(recipe);
    const json ours = json::parse(text);
    EXPECT_EQ(ours.at("architectures"), theirs.at("architectures"));
    const families::ConfigFile again = families::read_config(text, "ours");
    EXPECT_TRUE(again.refused.empty());
    const families::Family& family = families::family_of(recipe);
    EXPECT_EQ(again.config.task, recipe.task);
    EXPECT_EQ(family.resolved(again.config), family.resolved(recipe));
    for (const families::ConfigKey& key : family.keys())
        EXPECT_TRUE(family.same_weights(key, again.config, recipe)) << key.name;
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenModels, ::testing::ValuesIn(cases()), [](const auto& place) {
    return test::case_name(place.param.filename().string(), place.index);
});

}  // namespace
}  // namespace trainyard::models
