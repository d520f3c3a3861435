// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/rule_optimizer.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include "base/error.h"
#include "distributed/parallel/one_bit_mean.h"
#include "distributed/tensors/dtype.h"
#include "optim/stochastic_rounding.h"

namespace trainyard::optim {

namespace {

class UpdateHook final : public torch::autograd::PostAccumulateGradHook {
  public:
    explicit UpdateHook(std::function<void(const at::Tensor&)> update) : update_(std::move(update)) {}
    void operator()(const torch::autograd::Variable& parameter) override { update_(parameter); }

  private:
    std::function<void(const at::Tensor&)> update_;
};

void update_slot(const config::OptimizerSettings& settings, const Scalars& scalars, const Slot& slot) {
    std::vector<Slot> pieces;
    add_pieces(slot, settings.kind().element_wise, pieces);
    update_slots(settings, scalars, pieces);
}

const ExchangeRule* exchange_of(const RuleOptimizer::Group& group) {
    return rule_of(group.settings.kind()).exchange;
}

}  // namespace

RuleOptimizer::RuleOptimizer(std::vector<Group> groups)
    : groups_(std::move(groups)), alive_(std::make_shared<bool>(true)) {
    for (const Group& group : groups_) {
        (void)rule_of(group.settings.kind());
        for (const at::Tensor& parameter : group.parameters)
            if (group.settings.kind().matrices_only && parameter.dim() != 2)
                throw UserError(
                    "{} updates matrices alone, and there is a parameter with {} "
                    "dimensions: give the others a group with another optimizer, e.g. "
                    "AdamW",
                    group.settings.kind().torch_name, parameter.dim());
        for (const at::Tensor& parameter : group.parameters)
            if (group.settings.rounds_stochastically() && parameter.scalar_type() != at::kBFloat16)
                throw UserError(
                    "{} of {} is for weights in bfloat16, and there is a parameter in {}: leave it out, or convert the "
                    "model first (to(torch::kBFloat16))",
                    config::kStochasticRounding, group.settings.kind().torch_name, dtype_name(parameter.scalar_type()));
        states_.emplace_back(group.parameters.size());
    }
}

RuleOptimizer::~RuleOptimizer() {
    *alive_ = false;
}

void RuleOptimizer::set_lr(std::size_t group, double lr) {
    (void)groups_.at(group).settings.set("lr", lr);
}

std::vector<at::Tensor> RuleOptimizer::parameters() const {
    std::vector<at::Tensor> all;
    for (const Group& group : groups_)
        all.insert(all.end(), group.parameters.begin(), group.parameters.end());
    return all;
}

void RuleOptimizer::begin_state(std::size_t group, OfParameter& one, const at::Tensor& parameter) const {
    if (!one.begun) {
        one.slot.states = new_states(groups_[group].settings, parameter);
        one.scalars = new_scalars(groups_[group].settings);
        one.begun = true;
    }
    one.slot.value = parameter.detach();
}

void RuleOptimizer::update(std::size_t group, OfParameter& one, const at::Tensor& parameter) {
    const config::OptimizerSettings& settings = groups_[group].settings;
    begin_state(group, one, parameter);
    one.slot.gradient = parameter.grad().detach();
    // A gradient that others read keeps its values.
    if (settings.kind().changes_gradients)
        one.slot.gradient = one.slot.gradient.clone();
    begin_update(settings, one.scalars);
    if (settings.rounds_stochastically())
        update_rounded(group, one);
    else
        update_slot(settings, one.scalars, one.slot);
    end_update(settings, one.scalars);
    one.slot.gradient = at::Tensor();
}

/// The update in fp32, whose result is rounded once; so are states.
void RuleOptimizer::update_rounded(std::size_t group, OfParameter& one) {
    const auto wide = [](const at::Tensor& tensor) {
        return tensor.scalar_type() == at::kBFloat16 ? tensor.to(at::kFloat) : tensor;
    };
    Slot slot{wide(one.slot.value).contiguous(), wide(one.slot.gradient), {}};
    for (const at::Tensor& state : one.slot.states)
        slot.states.push_back(wide(state));
    update_slot(groups_[group].settings, one.scalars, slot);
    const auto number = static_cast<std::uint64_t>(&one - states_[group].data());
    round_stochastically(slot.value, static_cast<std::uint64_t>(group) << 32 | number,
                         static_cast<std::int64_t>(one.scalars.find("step")->second));
    one.slot.value.copy_(slot.value);
    for (std::size_t i = 0; i < slot.states.size(); ++i)
        if (!slot.states[i].is_same(one.slot.states[i]))
            one.slot.states[i].copy_(slot.states[i]);
}

void RuleOptimizer::require_training() const {
    if (is_average_)
        throw UserError("the parameters are the averaged weights since eval(): call train() before step()");
}

void RuleOptimizer::end_backward() {
    for (std::vector<OfParameter>& group : states_)
        for (OfParameter& one : group)
            one.updated = false;
}

void RuleOptimizer::step() {
    require_training();
    if (in_backward_)
        return end_backward();
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p)
            if (groups_[g].parameters[p].grad().defined() && exchange_of(groups_[g]) == nullptr)
                update(g, states_[g][p], groups_[g].parameters[p]);
    exchange_and_update();
}

void RuleOptimizer::exchange_and_update() {
    const at::NoGradGuard no_grad;
    std::vector<std::pair<std::size_t, OfParameter*>> updated;
    std::vector<parallel::OneBitMean::Item> items;
    std::size_t number = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const ExchangeRule* rule = exchange_of(groups_[g]);
        const config::OptimizerSettings& settings = groups_[g].settings;
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p, ++number) {
            const at::Tensor& parameter = groups_[g].parameters[p];
            const at::Tensor gradient = parameter.grad();
            if (rule == nullptr || !(parameter.requires_grad() || gradient.defined()))
                continue;
            OfParameter& one = states_[g][p];
            begin_state(g, one, parameter);
            one.slot.gradient = at::zeros_like(parameter, at::kFloat, {}, {}, {}, at::MemoryFormat::Contiguous);
            if (gradient.defined())
                one.slot.gradient.copy_(gradient.detach());
            begin_update(settings, one.scalars);
            if (!rule->is_adamw(settings, one.scalars))
                prepare_slots(settings, one.scalars, {&one.slot, 1});
            if (const int what = rule->exchanged(settings, one.scalars); what != ExchangeRule::kNothing)
                items.push_back(
                    {number, exchanged_tensor(one.slot, what), rule->forgets_errors(settings, one.scalars)});
            updated.emplace_back(g, &one);
        }
    }
    if (mean_)
        mean_->average(items, "momenta");
    for (const auto& [g, one] : updated) {
        update_slot(groups_[g].settings, one->scalars, one->slot);
        end_update(groups_[g].settings, one->scalars);
        one->slot.gradient = at::Tensor();
    }
}

bool RuleOptimizer::sums_gradients() const {
    if (!exchanges())
        return true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const ExchangeRule* rule = exchange_of(groups_[g]);
        for (std::size_t p = 0; p < states_[g].size(); ++p) {
            const OfParameter& one = states_[g][p];
            if (groups_[g].parameters[p].requires_grad() &&
                (rule == nullptr ||
                 rule->sums_gradients(groups_[g].settings, one.begun ? one.scalars : new_scalars(groups_[g].settings))))
                return true;
        }
    }
    return false;
}

bool RuleOptimizer::exchanges() const {
    return std::ranges::any_of(groups_, [](const Group& one) { return exchange_of(one) != nullptr; });
}

void RuleOptimizer::exchange_over(parallel::Communicator& ranks) {
    std::vector<std::int64_t> elements;
    for (const at::Tensor& parameter : parameters())
        elements.push_back(parameter.numel());
    mean_ = exchanges() && ranks.size() > 1 ? std::make_unique<parallel::OneBitMean>(ranks, elements) : nullptr;
}

Stateful* RuleOptimizer::own_state() {
    return mean_.get();
}

void RuleOptimizer::settle() {
    if (!mean_)
        return;
    const at::NoGradGuard no_grad;
    std::vector<std::pair<std::size_t, OfParameter*>> unsettled;
    std::vector<parallel::OneBitMean::Item> items;
    std::size_t number = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t p = 0; p < states_[g].size(); ++p, ++number) {
            OfParameter& one = states_[g][p];
            if (const int what = unsettled_state(groups_[g].settings, one.scalars); what != ExchangeRule::kNothing) {
                begin_state(g, one, groups_[g].parameters[p]);
                items.push_back({number, exchanged_tensor(one.slot, what)});
                unsettled.emplace_back(g, &one);
            }
        }
    mean_->average(items, "momenta");
    for (const auto& [g, one] : unsettled) {
        settle_slots(groups_[g].settings, one->scalars, {&one->slot, 1});
        rule_of(groups_[g].settings.kind()).exchange->end_settle(one->scalars);
    }
}

void RuleOptimizer::update_in_backward() {
    if (std::exchange(in_backward_, true))
        return;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p) {
            const at::Tensor& parameter = groups_[g].parameters[p];
            if (!parameter.requires_grad())
                continue;
            torch::autograd::impl::set_post_acc_grad_hooks(
                parameter, std::make_unique<UpdateHook>([this, g, p, alive = alive_](const at::Tensor& updated) {
                    if (!*alive)
                        return;
                    require_training();
                    if (std::exchange(states_[g][p].updated, true))
                        throw UserError(
                            "{} updates while backward runs, and a parameter got a "
                            "second gradient before step(): run one backward of the "
                            "whole loss for each step(), and use no parameter in several "
                            "checkpointed blocks",
                            groups_[g].settings.kind().torch_name);
                    update(g, states_[g][p], updated);
                    updated.mutable_grad() = at::Tensor();
                }));
        }
}

void RuleOptimizer::zero_grad(bool set_to_none) {
    at::NoGradGuard no_grad;
    end_backward();
    for (const Group& group : groups_)
        for (const at::Tensor& parameter : group.parameters)
            if (parameter.grad().defined()) {
                if (set_to_none)
                    parameter.mutable_grad() = at::Tensor();
                else
                    parameter.mutable_grad().detach_().zero_();
            }
}

config::OptimizerTraits RuleOptimizer::traits() const {
    config::OptimizerTraits all;
    all.in_backward = in_backward_;
    for (const Group& group : groups_) {
        const config::OptimizerKind& kind = group.settings.kind();
        if (all.name.empty() || (all.element_wise && !kind.element_wise) || (!all.averages && kind.averages))
            all.name = kind.torch_name;
        all.element_wise = all.element_wise && kind.element_wise;
        all.averages = all.averages || kind.averages;
        all.exchanges_signs = all.exchanges_signs || kind.exchanges_signs;
        all.local_steps = all.local_steps || kind.local_steps;
    }
    return all;
}

bool RuleOptimizer::needs_eval() const {
    for (std::size_t g = 0; g < groups_.size() && !is_average_; ++g)
        if (groups_[g].settings.kind().averages && std::ranges::any_of(states_[g], &OfParameter::begun))
            return true;
    for (std::size_t g = 0; g < groups_.size() && mean_; ++g)
        for (const OfParameter& one : states_[g])
            if (unsettled_state(groups_[g].settings, one.scalars) != ExchangeRule::kNothing)
                return true;
    return false;
}

void RuleOptimizer::eval() {
    move_to(true);
    settle();
}
void RuleOptimizer::train() {
    move_to(false);
}

void RuleOptimizer::move_to(bool average) {
    if (std::exchange(is_average_, average) == average)
        return;
    at::NoGradGuard no_grad;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const config::OptimizerSettings& settings = groups_[g].settings;
        if (!settings.kind().averages)
            continue;
        const double inertia = settings.momentum();
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p)
            if (OfParameter& one = states_[g][p]; one.begun)
                groups_[g].parameters[p].detach().lerp_(one.slot.states[0], average ? 1 - 1 / inertia : 1 - inertia);
    }
}

bool RuleOptimizer::is_element_wise() const {
    return std::ranges::all_of(groups_, [](const Group& group) { return group.settings.kind().element_wise; });
}

void RuleOptimizer::replace_parameters(const std::vector<OwnedSlice>& slices) {
    std::size_t next = 0;
    for (Group& group : groups_)
        for (at::Tensor& parameter : group.parameters)
            parameter = slices.at(next++).values;
    slices_ = slices;
}

void RuleOptimizer::move_state_to_parameters() {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p)
            for (at::Tensor& state : states_[g][p].slot.states)
                state = state.to(groups_[g].parameters[p].device());
}

std::size_t RuleOptimizer::state_count(std::size_t parameter) const {
    for (const Group& group : groups_) {
        if (parameter < group.parameters.size())
            return config::states_of(group.settings, group.parameters[parameter].sizes().vec()).size();
        parameter -= group.parameters.size();
    }
    return 0;
}

void RuleOptimizer::replace_states(std::size_t parameter, const ReplaceState& replace) {
    for (std::vector<OfParameter>& group : states_) {
        if (parameter < group.size()) {
            std::vector<at::Tensor>& states = group[parameter].slot.states;
            for (std::size_t i = 0; i < states.size(); ++i)
                if (states[i].defined())
                    states[i] = replace(i, states[i]);
            return;
        }
        parameter -= group.size();
    }
}

std::vector<StateGroup> RuleOptimizer::state_groups() const {
    std::vector<StateGroup> all;
    std::size_t next = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        StateGroup& group = all.emplace_back(StateGroup{groups_[g].settings, {}, is_average_});
        for (std::size_t p = 0; p < states_[g].size(); ++p) {
            ParameterState one = blank_state(groups_[g].parameters[p], slices_, next++);
            one.updated = states_[g][p].begun;
            one.scalars = states_[g][p].scalars;
            one.tensors = states_[g][p].slot.states;
            group.parameters.push_back(std::move(one));
        }
    }
    return all;
}

Tree RuleOptimizer::state_dict() const {
    return write_state_dict(state_groups());
}

void RuleOptimizer::load_state_dict(const Tree& saved) {
    std::vector<StateGroup> loaded = state_groups();
    read_state_dict(saved, loaded);
    std::vector<std::vector<OfParameter>> states;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        states.emplace_back(groups_[g].parameters.size());
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p)
            if (ParameterState& stored = loaded[g].parameters[p]; stored.updated) {
                OfParameter& one = states[g][p];
                one.slot.states = copy_states(stored, loaded[g].settings, groups_[g].parameters[p]);
                one.scalars = std::move(stored.scalars);
                one.begun = true;
            }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g)
        groups_[g].settings = loaded[g].settings;
    states_ = std::move(states);
    is_average_ = std::ranges::any_of(loaded, &StateGroup::is_average);
}

}  // namespace trainyard::optim
