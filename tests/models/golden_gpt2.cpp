// Golden topic models/gpt2: what transformers' GPT2LMHeadModel computes from a weight file, forwards, backwards and over five
// AdamW steps. Every folder models/<case> whose config.json says model_type gpt2 is a case.

#include <algorithm>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "models/kernels/cross_entropy.h"
#include "models/model.h"
#include "support/golden.h"
#include "support/gpt2_config.h"
#include "train/adamw.h"
#include "train/update_flow.h"
#include "weights/safetensors.h"

namespace trainyard::models {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

at::Tensor tensor(const weights::SafetensorsFile& file, const std::string& name) {
    const weights::TensorInfo* info = file.find(name);
    if (info == nullptr)
        throw std::runtime_error("no tensor " + name);
    at::ScalarType type = info->dtype == "I64" ? at::kLong : at::kFloat;
    auto bytes = file.bytes(*info);
    return at::from_blob(const_cast<std::byte*>(bytes.data()), info->shape, at::TensorOptions().dtype(type)).clone();
}

struct Case {
    fs::path folder;
    json config, expected;
    weights::SafetensorsFile values;
    std::unique_ptr<Model> model;
    parallel::FlatArena arena;
    at::Tensor tokens, labels;
    double targets;
    double tolerance;

    explicit Case(const fs::path& path)
        : folder(path),
          config(json::parse(read_file(path / "config.json"))),
          expected(json::parse(read_file(path / "expected.json"))),
          values(path / "expected.safetensors"),
          model(make_model(test::gpt2_recipe(config))),
          arena(model->groups(), at::kFloat, at::kCPU, true),
          tokens(tensor(values, "input_ids")),
          labels(tensor(values, "labels")),
          targets(labels.narrow(1, 1, labels.size(1) - 1).ne(kIgnoredLabel).sum().item<double>()),
          tolerance(std::max(1e-5, 20 * expected.at("distance_to_fp64").at("losses").get<double>())) {
        std::vector<checkpoint::LogicalTensor> weights;
        for (const auto& group : arena.groups())
            for (const auto* parameter : group.parameters())
                weights.push_back(checkpoint::LogicalTensor::of_whole(parameter->name(), parameter->value()));
        checkpoint::load_weights(folder, weights);
    }

    double step(bool backward, at::Tensor* logits = nullptr) {
        arena.forget_gradients();
        parallel::StepContext context;
        context.tokens = tokens;
        context.labels = labels;
        context.loss_scale = 1.0 / targets;
        context.loss_sum = at::zeros({}, at::kDouble);
        context.logits = logits;
        at::AutoGradMode with_gradients(backward);
        at::Tensor loss = model->forward(context);
        if (backward) {
            loss.backward();
            for (auto& group : arena.groups())
                group.settle_gradients();
        }
        return context.loss_sum.item<double>() / targets;
    }

    void expect_logits(const at::Tensor& logits, const std::string& name) const {
        at::Tensor mask =
            tensor(values, "attention_mask").to(at::kFloat).unsqueeze(2);  // padded positions are not compared
        at::Tensor difference = logits.sub(tensor(values, name)).mul(mask).abs();
        EXPECT_LT(difference.max().item<float>(), 1e-4) << name;
    }
};

std::vector<fs::path> cases() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("models")))
        if (fs::exists(entry.path() / "config.json") &&
            json::parse(read_file(entry.path() / "config.json")).at("model_type") == "gpt2")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class GoldenGpt2 : public ::testing::TestWithParam<fs::path> {};

TEST_P(GoldenGpt2, LossLogitsAndGradients) {
    Case golden(GetParam());
    at::Tensor logits;
    EXPECT_NEAR(golden.step(true, &logits), golden.expected.at("loss").get<double>(), golden.tolerance);
    golden.expect_logits(logits, "logits");
    for (const auto& group : golden.arena.groups())
        for (const auto* parameter : group.parameters()) {
            double expected = golden.expected.at("gradient_norms").at(parameter->name());
            EXPECT_NEAR(parameter->gradient().norm().item<double>(), expected, 2e-5 * std::max(1.0, expected))
                << parameter->name();
        }
    EXPECT_EQ(golden.arena.parameter_count(), golden.expected.at("parameters_counted_once").get<std::int64_t>());
}

TEST_P(GoldenGpt2, FiveStepsOfAdamW) {
    Case golden(GetParam());
    const json& training = golden.expected.at("training");
    config::OptimizerRecipe recipe;
    recipe.lr = training.at("lr");
    recipe.beta1 = training.at("betas")[0];
    recipe.beta2 = training.at("betas")[1];
    recipe.eps = training.at("eps");
    recipe.weight_decay = training.at("weight_decay");
    train::AdamW optimizer(golden.arena, recipe);
    double limit = training.at("clip_grad_norm");
    for (std::size_t i = 0; i < training.at("losses").size(); ++i) {
        EXPECT_NEAR(golden.step(true), training["losses"][i].get<double>(), golden.tolerance) << "step " << i;
        double norm = at::linalg_vector_norm(golden.arena.gradients()).item<double>();
        EXPECT_NEAR(norm, training["gradient_norms_before_clip"][i].get<double>(), 1e-4) << "step " << i;
        optimizer.set_gradient_divisor(train::clip_divisor(norm, limit));
        optimizer.step();
    }
    for (const auto& group : golden.arena.groups())
        for (const auto* parameter : group.parameters()) {
            double expected = golden.expected.at("final_norms").at(parameter->name());
            // A bias of the keys moves no attention probability: its gradient is rounding noise, which Adam makes as large as
            // any other. After five steps such entries differ between two correct programs.
            double share = parameter->name().ends_with("c_attn.bias") ? 1e-3 : 2e-5;
            EXPECT_NEAR(parameter->value().norm().item<double>(), expected, share * std::max(1.0, expected))
                << parameter->name();
        }
    at::Tensor logits;
    golden.step(false, &logits);
    golden.expect_logits(logits, "final_logits");
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenGpt2, ::testing::ValuesIn(cases()), [](const auto& place) {
    return test::case_name(place.param.filename().string(), place.index);
});

}  // namespace
}  // namespace trainyard::models
