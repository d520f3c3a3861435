// SPDX-License-Identifier: GPL-3.0-or-later
// Golden topic embeddings: sentence embeddings of transformers' encoders. Every folder is a case; its config.json and weights are those of a model without a
// head.

#include <algorithm>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "checkpoint/checkpoint.h"
#include "config/inputs/start_weights.h"
#include "models/nn/model.h"
#include "models/spec/family.h"
#include "models/spec/labels.h"
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

/// Losses of pairs and their gradients; cases without pairs.safetensors have none.
TEST_P(GoldenEmbeddings, LossesOfPairsAreThoseOfSentenceTransformers) {
    if (!fs::exists(GetParam() / "pairs.safetensors"))
        return;
    const weights::SafetensorsFile values(GetParam() / "pairs.safetensors");
    for (const std::string loss : {families::kRankingLoss, families::kCosineLoss}) {
        config::ModelRecipe recipe;
        recipe.weights = GetParam().string();
        recipe.loss = loss;
        recipe = inputs::settle_model(recipe).model;
        recipe.resid_pdrop = recipe.attn_pdrop = 0;  // the values are those of an evaluation
        const std::unique_ptr<Model> model = make_model(recipe);
        parallel::FlatArena arena(model->groups(), at::kFloat, at::kCPU, true);
        std::vector<checkpoint::LogicalTensor> weights;
        for (const auto& group : arena.groups())
            for (const auto* parameter : group.parameters())
                weights.push_back(checkpoint::LogicalTensor::of_whole(parameter->name(), parameter->value()));
        checkpoint::load_weights(GetParam(), weights);
        for (const std::string which : {"all", "some"}) {
            const bool scored = loss == families::kCosineLoss, some = which == "some";
            at::Tensor labels = scored ? test::golden_tensor(values, "scores").clone() : at::zeros({4}, at::kLong);
            if (some)
                labels[2].fill_(scored ? std::nan("") : -100.0);
            parallel::StepContext context;
            context.tokens = test::golden_tensor(values, "input_ids");
            context.attention_mask = test::golden_tensor(values, "attention_mask");
            context.labels = labels;
            context.loss_sum = at::zeros({}, at::kDouble);
            const double counted = some ? 3 : 4;
            context.loss_scale = 1 / counted;
            arena.forget_gradients();
            const at::Tensor root = model->forward(context);
            root.backward();
            EXPECT_EQ(model->count_targets(context), counted);
            const double expected = test::golden_tensor(values, loss + "/" + which + "/loss").item<double>();
            EXPECT_NEAR(root.item<double>(), expected, 2e-5) << loss << ", " << which;
            EXPECT_NEAR(context.loss_sum.item<double>() / counted, expected, 2e-5) << loss << ", " << which;
        }
        std::size_t compared = 0;
        for (const auto& group : arena.groups())
            for (const auto* parameter : group.parameters())
                for (const std::string& stored : families::stored_names(parameter->name())) {
                    const at::Tensor gradient = test::golden_tensor_or_none(values, loss + "/gradient/" + stored);
                    if (!gradient.defined())
                        continue;
                    ++compared;
                    EXPECT_LT(parameter->gradient().sub(gradient).abs().max().item<float>(),
                              2e-5 + 2e-4 * gradient.abs().max().item<float>())
                        << loss << ": " << stored;
                }
        EXPECT_GT(compared, 3u);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenEmbeddings, ::testing::ValuesIn(embedding_cases()), [](const auto& place) {
    return test::case_name(place.param.filename().string(), place.index);
});

}  // namespace
}  // namespace trainyard::models
