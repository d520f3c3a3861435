// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/expert_router.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <fmt/format.h>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Weights of 0 have no sum to be divided by.
constexpr double kLeastWeight = 1e-9;

/// int64 [tokens, chosen]: places at the experts in the order of arrival, -1 where the expert is full or the token
/// takes none.
at::Tensor give_slots(const at::Tensor& experts, std::int64_t number, std::int64_t capacity,
                      const at::Tensor& counted) {
    const std::int64_t tokens = experts.size(0), chosen = experts.size(1);
    const at::Tensor arrival = experts.t().reshape({-1});  // all first choices, then all second ones
    at::Tensor takes = at::one_hot(arrival, number);
    if (counted.defined())
        takes = takes.mul(counted.ne(0).to(at::kLong).repeat({chosen}).unsqueeze(-1));
    const at::Tensor before = at::cumsum(takes, 0).sub(takes).gather(1, arrival.unsqueeze(-1)).squeeze(-1);
    const at::Tensor kept = takes.sum(1).ne(0).logical_and(before.lt(capacity));
    return at::where(kept, before, at::full_like(before, -1)).view({chosen, tokens}).t();
}

/// Selects rows by index, with a row of zeros for choices that are dropped.
at::Tensor at_choices(const at::Tensor& rows, const at::Tensor& places) {
    if (rows.size(0) == places.size(0))
        return rows.index_select(0, places);
    return at::cat({rows, at::zeros({1, rows.size(1)}, rows.options())}).index_select(0, places);
}

void keep_order(AutogradContext* context, const ExpertOrder& order) {
    context->saved_data["choices"] = order.choices;
    context->saved_data["rows"] = order.rows;
    context->saved_data["chosen"] = order.chosen;
}

struct RowsOfExperts : torch::autograd::Function<RowsOfExperts> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& tokens, const ExpertOrder& order) {
        keep_order(context, order);
        return tokens.index_select(0, order.choices.floor_divide(order.chosen));
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor all = at_choices(gradients[0], context->saved_data["rows"].toTensor());
        return {all.view({-1, context->saved_data["chosen"].toInt(), all.size(1)}).sum(1), at::Tensor()};
    }
};

/// [rows, width] -> [tokens, chosen, width]
struct ResultsOfTokens : torch::autograd::Function<ResultsOfTokens> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& results, const ExpertOrder& order) {
        keep_order(context, order);
        return at_choices(results, order.rows).view({-1, order.chosen, results.size(1)});
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor all = gradients[0].reshape({-1, gradients[0].size(2)});
        return {all.index_select(0, context->saved_data["choices"].toTensor()), at::Tensor()};
    }
};

}  // namespace

Routing route(const at::Tensor& logits, const RouterOptions& options, const at::Tensor& counted) {
    const std::int64_t tokens = logits.size(0), experts = logits.size(1);
    if (options.chosen < 1 || options.chosen > experts)
        throw std::invalid_argument(fmt::format("a token cannot be sent to {} of {} experts", options.chosen, experts));
    Routing routing;
    routing.probabilities = at::softmax(logits, -1, logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
    std::tie(routing.weights, routing.experts) = at::topk(routing.probabilities, options.chosen, -1);
    if (options.normalises)
        routing.weights = routing.weights.div(routing.weights.sum(-1, true));
    if (options.capacity_factor <= 0)
        return routing;
    const std::int64_t group = options.group > 0 ? options.group : tokens;
    std::vector<at::Tensor> slots;
    for (std::int64_t begin = 0; begin < tokens; begin += group) {
        const std::int64_t count = std::min(group, tokens - begin);
        const at::Tensor own = counted.defined() ? counted.narrow(0, begin, count) : counted;
        const double sharing =
            counted.defined() && !options.counts_masked ? own.ne(0).sum().item<double>() : static_cast<double>(count);
        const std::int64_t capacity = std::max(
            options.least_capacity,
            static_cast<std::int64_t>(std::ceil(sharing / static_cast<double>(experts) * options.capacity_factor *
                                                static_cast<double>(options.chosen))));
        slots.push_back(give_slots(routing.experts.narrow(0, begin, count), experts, capacity, own));
        routing.capacity = std::max(routing.capacity, capacity);
    }
    routing.slots = slots.empty() ? at::empty_like(routing.experts) : at::cat(slots);
    routing.weights = routing.weights.mul(routing.slots.ge(0).to(routing.weights.scalar_type()));
    if (options.renormalises)
        routing.weights = routing.weights.div(routing.weights.sum(-1, true).clamp_min(kLeastWeight));
    return routing;
}

ExpertOrder order_by_expert(const Routing& routing) {
    at::NoGradGuard no_grad;
    const std::int64_t experts = routing.probabilities.size(1);
    ExpertOrder order;
    order.chosen = routing.experts.size(1);
    at::Tensor keys = routing.experts.reshape({-1});
    if (routing.slots.defined())  // those that are dropped come last
        keys = at::where(routing.slots.reshape({-1}).ge(0), keys, at::full_like(keys, experts));
    const at::Tensor counts = at::bincount(keys, {}, experts + 1).cpu();
    order.counts.assign(counts.const_data_ptr<std::int64_t>(), counts.const_data_ptr<std::int64_t>() + experts);
    const std::int64_t kept = keys.size(0) - counts[experts].item<std::int64_t>();
    order.choices = at::argsort(keys, true, 0, false).narrow(0, 0, kept);
    order.rows = at::full_like(keys, kept);
    order.rows.index_copy_(0, order.choices, at::arange(kept, keys.options()));
    return order;
}

at::Tensor rows_of_experts(const at::Tensor& tokens, const ExpertOrder& order) {
    return RowsOfExperts::apply(tokens, order);
}

at::Tensor weighted_results(const at::Tensor& results, const at::Tensor& weights, const ExpertOrder& order) {
    return ResultsOfTokens::apply(results, order).mul(weights.unsqueeze(-1)).sum(1);
}

void add_to_sums(RouterSums& sums, const Routing& routing, const at::Tensor& counted) {
    const at::Tensor chosen = at::one_hot(routing.experts, routing.probabilities.size(1)).to(at::kFloat);
    if (!counted.defined()) {
        sums.probabilities = sums.probabilities.add(routing.probabilities.sum(0));
        sums.choices = sums.choices.add(chosen.sum(0));
        return;
    }
    const at::Tensor counts = counted.ne(0).reshape({-1, 1}).to(at::kFloat);
    sums.probabilities = sums.probabilities.add(routing.probabilities.mul(counts).sum(0));
    sums.choices = sums.choices.add(chosen.mul(counts.unsqueeze(-1)).sum(0));
}

at::Tensor load_balancing_loss(const RouterSums& sums) {
    const auto experts = static_cast<double>(sums.choices.size(1));
    const at::Tensor tokens = sums.choices.select(0, 0).sum();  // over all blocks: each has one first choice there
    return sums.choices.sum(0).mul(sums.probabilities).sum().mul(experts).div(tokens.square());
}

RouterStep::RouterStep(parallel::Communicator* data, std::int64_t chosen, std::int64_t experts, double factor,
                       at::Device device)
    : data_(data), factor_(factor) {
    const auto numbers = at::TensorOptions().dtype(at::kDouble).device(device);
    sums_ = {at::zeros({experts}, numbers), at::zeros({chosen, experts}, numbers)};
}

void RouterStep::begin(Pass pass) {
    at::NoGradGuard no_grad;
    pass_ = pass;
    settled_ = false;
    sums_.probabilities.zero_();
    sums_.choices.zero_();
    targets_ = 0;
}

void RouterStep::add(const RouterSums& sums, double targets) {
    at::NoGradGuard no_grad;
    sums_.probabilities.add_(sums.probabilities);
    sums_.choices.add_(sums.choices);
    targets_ += targets;
}

void RouterStep::settle() {
    at::NoGradGuard no_grad;
    if (data_ != nullptr && data_->size() > 1) {
        const at::Tensor all = at::cat({sums_.choices.reshape({-1}), at::full({1}, targets_, sums_.choices.options())});
        data_->all_reduce(all, "choices of routers").wait();
        sums_.choices.copy_(all.narrow(0, 0, sums_.choices.numel()).view_as(sums_.choices));
        targets_ = all[-1].item<double>();
    }
    settled_ = true;
}

at::Tensor RouterStep::part_of(const at::Tensor& probabilities) const {
    return load_balancing_loss({probabilities.to(at::kDouble), sums_.choices}).mul(factor_ * targets_);
}

}  // namespace trainyard::models
