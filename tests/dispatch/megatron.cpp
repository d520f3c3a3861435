// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of Megatron-LM compute what the models of transformers computed that they were made from.

#include <algorithm>
#include <fstream>
#include <functional>

#include <ATen/ops/tensor.h>

#include <nlohmann/json.hpp>

#include "dispatch/loaded_case.h"

namespace trainyard::dispatch {
namespace {

at::Tensor rows_of(const nlohmann::json& rows) {
    std::vector<std::int64_t> shape;
    for (const nlohmann::json* inner = &rows; inner->is_array(); inner = &inner->front())
        shape.push_back(static_cast<std::int64_t>(inner->size()));
    std::vector<double> values;
    const std::function<void(const nlohmann::json&)> add = [&](const nlohmann::json& part) {
        if (!part.is_array())
            values.push_back(part.get<double>());
        else
            std::ranges::for_each(part, add);
    };
    add(rows);
    return at::tensor(values, at::kDouble).reshape(shape);
}

TEST(MegatronModels, ComputeTheLogitsOfTransformers) {
    int cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::own_golden("megatron_folders"))) {
        SCOPED_TRACE(entry.path().filename());
        ++cases;
        const auto wanted = nlohmann::json::parse(std::ifstream(entry.path() / "case.json"));
        const std::unique_ptr<models::Model> model = test::empty_model(entry.path() / "in");
        load_checkpoint_in_model(*model, entry.path() / "in", LoadOptions());
        const at::NoGradGuard no_grad;
        parallel::StepContext context;
        at::Tensor logits;
        context.tokens = rows_of(wanted["tokens"]).to(at::kLong);
        context.labels = context.tokens;
        context.loss_sum = at::zeros({}, at::kDouble);
        context.training = false;
        context.logits = &logits;
        model->forward(context);
        const at::Tensor expected = rows_of(wanted["logits"]);
        EXPECT_EQ(logits.sizes(), expected.sizes());
        EXPECT_LT((logits.to(at::kDouble) - expected).abs().max().item<double>(), 1e-5);
    }
    EXPECT_GE(cases, 8);
}

}  // namespace
}  // namespace trainyard::dispatch
