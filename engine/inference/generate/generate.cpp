// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/generate.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include <fmt/format.h>

#include "base/error.h"
#include "inference/generate/beam_search.h"
#include "inference/generate/model_steps.h"
#include "models/nn/kernels/products.h"

namespace trainyard::generate {

at::Tensor ModelSteps::next(const std::vector<std::vector<std::int64_t>>& rows) {
    const auto length = std::ssize(rows.front());
    at::Tensor tokens = at::empty({std::ssize(rows), length}, at::kLong);
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(rows[row], tokens.data_ptr<std::int64_t>() + static_cast<std::int64_t>(row) * length);
    if (next_)
        return next_(tokens, cache_).to(at::kCPU);
    parallel::StepContext context;
    at::Tensor logits;
    context.tokens = tokens.to(device_);
    context.training = false;
    context.cache = &cache_;
    context.logits = &logits;
    model_.forward(context);
    return logits.select(1, length - 1).to(at::kCPU, at::kFloat).contiguous();
}

void ModelSteps::reorder(const std::vector<std::int64_t>& rows) {
    const at::Tensor chosen = at::tensor(rows, at::TensorOptions().dtype(at::kLong));
    for (auto& [unit, tensors] : cache_.entries)
        for (at::Tensor& tensor : tensors)
            if (tensor.defined())
                tensor = tensor.index_select(0, chosen.to(tensor.device()));  // of units on several devices
}

Generated generate(const models::Model& model, const std::vector<std::int64_t>& prompt, std::int64_t context,
                   at::Device device, const GenerationOptions& options, const OnToken& on_token,
                   const NextLogits& next) {
    if (std::vector<Problem> problems = check(options); !problems.empty())
        throw InvalidInput(std::move(problems));
    if (prompt.empty())
        throw UserError("the prompt is empty: give at least one token");
    if (std::ssize(prompt) >= context)
        throw UserError("the prompt has {} tokens, and the model sees {}: shorten it", prompt.size(), context);
    at::NoGradGuard no_grad;
    const models::InUse in_use;
    ModelSteps steps(model, device, next);
    const std::int64_t most = std::min(options.max_new_tokens, context - std::ssize(prompt));
    Generated result;
    if (options.num_beams > 1) {
        result = beam_search(steps, prompt, most, options);
        for (const std::int64_t token : result.tokens)
            if (on_token && !on_token(token))
                break;
    } else {
        std::vector<std::int64_t> all = prompt, piece = prompt;
        while (std::ssize(result.tokens) < most) {
            const at::Tensor logits = steps.next({piece})[0];
            penalise_repetition(logits, all, options.repetition_penalty);
            const std::int64_t token =
                choose(logits, options_of_draw(options, std::ssize(result.tokens)), std::ssize(all));
            result.tokens.push_back(token);
            all.push_back(token);
            piece = {token};
            const bool goes_on = !on_token || on_token(token);
            if (std::ranges::find(options.eos_token_ids, token) != options.eos_token_ids.end()) {
                result.end = End::end_token;
                return result;
            }
            if (!goes_on) {
                result.end = End::stopped;
                return result;
            }
        }
    }
    if (result.end == End::length && most < options.max_new_tokens)
        result.end = End::context;
    return result;
}

}  // namespace trainyard::generate
