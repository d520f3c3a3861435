// Golden topic embeddings: sentence embeddings of transformers' encoders. Every folder is a case; its config.json and weights are those of a model without a
// head.

#include <algorithm>

#include <ATen/core/grad_mode.h>

#include <gtest/gtest.h>

#include "checkpoint/checkpoint.h"
#include "inputs/start_weights.h"
#include "models/model.h"
#include "support/golden.h"
#include "support/golden_tensors.h"

namespace trainyard::models {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> embedding_cases() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("embeddings")))
        if (entry.is_directory())
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class GoldenEmbeddings : public ::testing::TestWithParam<fs::path> {};

TEST_P(GoldenEmbeddings, AreThoseOfTransformers) {
    config::ModelRecipe recipe;
    recipe.weights = GetParam().string();
    const inputs::SettledModel settled = inputs::settle_model(recipe);
    for (const inputs::InputProblem& problem : settled.problems)
        ADD_FAILURE() << problem.key << ": " << problem.message;
    for (const inputs::InputProblem& problem : inputs::check_start_weights(settled.model))
        ADD_FAILURE() << problem.key << ": " << problem.message;
    EXPECT_EQ(settled.model.task, "sentence_embedding");
    const std::unique_ptr<Model> model = make_model(settled.model);
    parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, true);
    std::vector<checkpoint::LogicalTensor> weights;
    for (const auto& group : arena.groups())
        for (const auto* parameter : group.parameters())
            weights.push_back(checkpoint::LogicalTensor::of_whole(parameter->name(), parameter->value()));
    checkpoint::load_weights(GetParam(), weights);
    const weights::SafetensorsFile values(GetParam() / "expected.safetensors");
    parallel::StepContext context;
    context.tokens = test::golden_tensor(values, "input_ids");
    context.attention_mask = test::golden_tensor(values, "attention_mask");
    context.training = false;
    at::NoGradGuard no_grad;
    const at::Tensor made = model->forward(context);
    EXPECT_LT(made.sub(test::golden_tensor(values, "embeddings")).abs().max().item<float>(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenEmbeddings, ::testing::ValuesIn(embedding_cases()), [](const auto& place) {
    return test::case_name(place.param.filename().string(), place.index);
});

}  // namespace
}  // namespace trainyard::models
