// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A golden model of transformers (golden/models), built without weights.

#include <filesystem>
#include <memory>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "config/inputs/start_weights.h"
#include "formats/weights/safetensors.h"
#include "inference/dispatch/load_checkpoint.h"
#include "models/nn/model.h"
#include "support/golden.h"
#include "support/golden_tensors.h"

namespace trainyard::test {

inline std::unique_ptr<models::Model> empty_model(const std::filesystem::path& folder) {
    config::ModelRecipe recipe;
    recipe.weights = folder.string();
    const inputs::SettledModel settled = inputs::settle_model(recipe);
    EXPECT_TRUE(settled.problems.empty());
    return models::make_model(settled.model);
}

struct Outputs {
    at::Tensor logits;
    double loss = 0;
};

/// Forward on the golden inputs, made on the processor.
inline Outputs forward(const models::Model& model, const std::filesystem::path& folder) {
    at::NoGradGuard no_grad;
    const weights::SafetensorsFile values(folder / "expected.safetensors");
    parallel::StepContext context;
    Outputs outputs;
    context.tokens = golden_tensor_or_none(values, "input_ids");
    context.attention_mask = golden_tensor_or_none(values, "attention_mask");
    context.labels = golden_tensor(values, "labels");
    for (const char* name : {"token_type_ids", "pixel_values"})
        if (at::Tensor input = golden_tensor_or_none(values, name); input.defined())
            context.inputs.emplace_back(name, input);
    context.loss_sum = at::zeros({}, at::kDouble);
    const at::Tensor sum = context.loss_sum;
    context.training = false;
    context.logits = &outputs.logits;
    model.forward(context);
    EXPECT_TRUE(context.loss_sum.is_same(sum)) << "the caller's sum was replaced";
    outputs.loss = sum.item<double>();
    outputs.logits = outputs.logits.to(at::kCPU, at::kFloat);
    return outputs;
}

}  // namespace trainyard::test
