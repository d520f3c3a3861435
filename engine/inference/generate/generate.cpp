// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/generate.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "inference/generate/beam_search.h"
#include "inference/generate/model_steps.h"
#include "models/nn/kernels/products.h"
#include "models/spec/rotary.h"

namespace trainyard::generate {

void ModelSteps::mask(const std::vector<std::vector<std::int64_t>>& rows, std::int64_t length) {
    const auto padded = [&](const std::vector<std::int64_t>& row) { return std::ssize(row) != length; };
    if (!mask_.defined() && std::ranges::none_of(rows, padded))
        return;
    const at::Tensor appended = at::ones({std::ssize(rows), length}, at::kLong);
    for (std::size_t row = 0; row < rows.size(); ++row)
        appended[static_cast<std::int64_t>(row)].narrow(0, 0, length - std::ssize(rows[row])).zero_();
    mask_ = mask_.defined() ? at::cat({mask_, appended}, 1) : appended;
}

at::Tensor ModelSteps::next(const std::vector<std::vector<std::int64_t>>& rows) {
    const std::int64_t length = std::ssize(*std::ranges::max_element(rows, {}, [](auto& row) { return row.size(); }));
    at::Tensor tokens = at::zeros({std::ssize(rows), length}, at::kLong);
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy_backward(rows[row],
                                   tokens.data_ptr<std::int64_t>() + (static_cast<std::int64_t>(row) + 1) * length);
    if (next_)
        return next_(tokens, cache_).to(at::kCPU);
    mask(rows, length);
    parallel::StepContext context;
    at::Tensor logits;
    context.tokens = tokens.to(device_);
    if (mask_.defined()) {
        context.attention_mask = mask_.to(device_);
        context.position_ids = mask_.cumsum(1).sub_(1).clamp_min_(0).narrow(1, cache_.length, length).to(device_);
    }
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
    if (mask_.defined())
        mask_ = mask_.index_select(0, chosen);
}

namespace {

void require_prompt(const std::vector<std::int64_t>& prompt, std::int64_t context, const GenerationOptions& options) {
    if (prompt.empty())
        throw UserError("the prompt is empty: give at least one token");
    if (std::ssize(prompt) >= context)
        throw UserError("the prompt has {} tokens, and the model sees {}: shorten it", prompt.size(), context);
    if (options.max_length > 0 && options.max_length <= std::ssize(prompt))
        throw UserError(
            "the prompt has {} tokens, and max_length of the model's generation_config.json is "
            "{}, prompt included: give max_new_tokens",
            prompt.size(), options.max_length);
}

/// Whether the rotations of positions depend on the length of the sequences, which padding changes.
bool turns_by_length(const models::Model& model) {
    const std::string type = families::rotary_of(model.config(), {}).type;
    return type == "dynamic" || type == "longrope";
}

/// A prompt that is being continued.
struct Row {
    std::size_t prompt;  ///< its index
    std::vector<std::int64_t> all, piece;
    std::int64_t most;       ///< new tokens
    bool ends_with_context;  ///< `most` is less than was asked for
    std::vector<at::Tensor> logits = {};
};

/// Appends the next token. Returns whether the text continues.
bool add_token(Row& row, Generated& made, const at::Tensor& logits, const GenerationOptions& options,
               const OnTokenOf& on_token) {
    if (options.return_logits)
        row.logits.push_back(logits.clone());
    penalise_repetition(logits, row.all, options.repetition_penalty);
    const std::int64_t token = choose(logits, options_of_draw(options, std::ssize(made.tokens)), std::ssize(row.all));
    made.tokens.push_back(token);
    row.all.push_back(token);
    row.piece = {token};
    const bool goes_on = !on_token || on_token(row.prompt, token);
    if (std::ranges::find(options.eos_token_ids, token) != options.eos_token_ids.end())
        made.end = End::end_token;
    else if (!goes_on)
        made.end = End::stopped;
    else if (std::ssize(made.tokens) < row.most)
        return true;
    else if (row.ends_with_context)
        made.end = End::context;
    if (options.return_logits)
        made.logits = at::stack(row.logits);
    return false;
}

}  // namespace

std::vector<Generated> generate_batch(const models::Model& model, const std::vector<std::vector<std::int64_t>>& prompts,
                                      std::int64_t context, at::Device device, const GenerationOptions& options,
                                      const OnTokenOf& on_token, const NextLogits& next) {
    std::vector<Problem> problems = check(options);
    if (options.num_beams > 1 && prompts.size() > 1)
        problems.push_back({"", 0, 0, "num_beams",
                            "beam search continues one prompt at a time: give one prompt, or set num_beams to 1"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    std::vector<Row> rows;
    for (const std::vector<std::int64_t>& prompt : prompts) {
        require_prompt(prompt, context, options);
        const std::int64_t length = std::ssize(prompt),
                           wanted = options.max_length > 0 ? options.max_length - length : options.max_new_tokens,
                           most = std::min(wanted, context - length);
        rows.push_back({rows.size(), prompt, prompt, most, most < wanted});
    }
    const auto differs = [&](const Row& row) { return row.all.size() != rows.front().all.size(); };
    if (std::ranges::any_of(rows, differs) && (next || turns_by_length(model))) {
        std::vector<Generated> made;
        for (std::size_t i = 0; i < prompts.size(); ++i)
            made.push_back(generate(
                model, prompts[i], context, device, options,
                [&](std::int64_t token) { return !on_token || on_token(i, token); }, next));
        return made;
    }
    at::NoGradGuard no_grad;
    const models::InUse in_use;
    ModelSteps steps(model, device, next);
    std::vector<Generated> made(prompts.size());
    if (options.num_beams > 1 && !rows.empty()) {
        Generated& text = made.front();
        text = beam_search(steps, prompts.front(), rows.front().most, options);
        for (const std::int64_t token : text.tokens)
            if (on_token && !on_token(0, token))
                break;
        if (text.end == End::length && rows.front().ends_with_context)
            text.end = End::context;
        return made;
    }
    while (!rows.empty()) {
        std::vector<std::vector<std::int64_t>> pieces;
        for (const Row& row : rows)
            pieces.push_back(row.piece);
        const at::Tensor logits = steps.next(pieces);
        std::vector<Row> continued;
        std::vector<std::int64_t> from;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (add_token(rows[i], made[rows[i].prompt], logits[static_cast<std::int64_t>(i)], options, on_token)) {
                from.push_back(static_cast<std::int64_t>(i));
                continued.push_back(std::move(rows[i]));
            }
        if (!continued.empty() && continued.size() < rows.size())
            steps.reorder(from);
        rows = std::move(continued);
    }
    return made;
}

Generated generate(const models::Model& model, const std::vector<std::int64_t>& prompt, std::int64_t context,
                   at::Device device, const GenerationOptions& options, const OnToken& on_token,
                   const NextLogits& next) {
    OnTokenOf of_prompt;
    if (on_token)
        of_prompt = [&](std::size_t, std::int64_t token) { return on_token(token); };
    return std::move(generate_batch(model, {prompt}, context, device, options, of_prompt, next).front());
}

}  // namespace trainyard::generate
