// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/flat_optimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/philox.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/vector_loops.h"
#include "optim/stochastic_rounding.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kAdamwPiece = 1 << 15;  ///< elements that a thread takes at once on the CPU

/// AdamW as the passes of its own have it.
bool is_plain_adamw(const config::OptimizerSettings& settings, const optim::Scalars& scalars) {
    if (const optim::ExchangeRule* rule = optim::rule_of(settings.kind()).exchange)
        return rule->is_adamw(settings, scalars);
    return settings.has("amsgrad") && !settings.flag("amsgrad") && !settings.flag("maximize") &&
           (settings.flag("decoupled_weight_decay") || settings.number("weight_decay") == 0);
}

at::Tensor flat_part(const at::Tensor& whole, const parallel::Range& part) {
    return whole.detach().view(-1).narrow(0, part.begin, part.size());
}

models::AdamwStep adamw_step(const config::OptimizerSettings& settings, const optim::Scalars& scalars, double divisor) {
    const double lr = settings.number("lr"), steps = scalars.find("step")->second;
    const double beta1 = settings.numbers("betas")[0], beta2 = settings.numbers("betas")[1];
    models::AdamwStep step{};
    step.gradient_factor = static_cast<float>(1.0 / divisor);
    step.fresh_1 = static_cast<float>(1.0 - beta1);
    step.beta2 = static_cast<float>(beta2);
    step.fresh_2 = static_cast<float>(1.0 - beta2);
    step.rate = static_cast<float>(lr / (1.0 - std::pow(beta1, steps)));
    step.inverse_root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(beta2, steps)));
    step.epsilon = static_cast<float>(settings.number("eps"));
    step.kept = static_cast<float>(1.0 - lr * settings.number("weight_decay"));
    return step;
}

}  // namespace

FlatOptimizer::FlatOptimizer(FlatGradients& model, const config::OptimizerRecipe& recipe, const StateOffload& offload)
    : FlatOptimizer(model.arena(), recipe, offload) {
    model_ = &model;
    if (std::ranges::any_of(groups_, [](const Group& group) { return group.settings.kind().exchanges_signs; })) {
        std::vector<std::int64_t> elements;
        for (const parallel::Parameter* parameter : trained())
            elements.push_back(parameter->numel());
        mean_ = std::make_unique<parallel::OneBitMean>(model.data_ranks(), elements);
    }
    hold_gradients();
}

FlatOptimizer::FlatOptimizer(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe,
                             const StateOffload& offload)
    : arena_(arena), plan_(config::make_optimizer_plan(recipe)), lr_(recipe.lr) {
    const bool sliced = plan_.element_wise();
    for (const config::OptimizerPlan::Group& group : plan_.groups)
        if (const Message problem =
                config::conflict(config::traits_of(group.settings.kind()), config::TrainingFeature::zero);
            sliced && !problem.empty() && arena_.sharding().any())
            throw UserError("parallel.zero_stage: {}", problem);
    if (!sliced && arena_.sharding().any())
        throw UserError(
            "optimizer.name: {} needs whole parameters, and under ZeRO every rank has slices of "
            "them: set parallel.zero_stage to 0",
            recipe.name);
    for (const config::OptimizerPlan::Group& group : plan_.groups)
        scalars_.push_back(optim::new_scalars(group.settings));
    const bool rounds = models::is_half(arena_.compute_type()) && arena_.compute().defined() && !has_narrow_values();
    for (const parallel::Parameter* parameter : trained()) {
        Group& group = group_for(*parameter);
        Part part{parameter, {}, {}};
        part.slot.value = arena_.owned_value(*parameter);
        if (!group.settings.kind().element_wise)
            part.slot.value = part.slot.value.view(parameter->shape());
        if (arena_.keeps_gradients())
            part.slot.gradient = arena_.owned_gradient(*parameter).view(part.slot.value.sizes());
        else  // kernels that are still to come have noted the version of the values, which all share
            part.slot.value = part.slot.value.variable_data();
        if (rounds)
            part.rounded = flat_part(parameter->compute(), arena_.owned_of(*parameter)).variable_data();
        group.parts.push_back(std::move(part));
    }
    make_states(sliced, offload);
    if (!arena_.keeps_gradients())
        return;
    for (Group& group : groups_) {
        const bool plain = is_plain_adamw(group.settings, scalars_[group.plan]);
        for (std::size_t number = 0; number < group.parts.size(); ++number) {
            const Part& part = group.parts[number];
            const std::int64_t count = part.slot.value.numel();
            const std::int64_t most = !part.slot.value.is_cpu() || !group.settings.kind().element_wise
                                          ? std::max<std::int64_t>(count, 1)
                                      : plain ? kAdamwPiece
                                              : optim::kUpdatePiece;
            // The same in buffers of state, and of values on a disk.
            const std::int64_t place = arena_.offloaded() != nullptr ? part.slot.value.storage_offset()
                                       : buffers_.empty()
                                           ? 0
                                           : arena_.state_view(buffers_[0], *part.parameter).storage_offset();
            std::int64_t size = 0;
            for (std::int64_t begin = 0; begin < count; begin += size) {
                group.places.push_back(place + begin);
                group.origins.push_back({number, begin});
                size = std::min(most, count - begin);
                if (offloaded_)  // a piece is in one slice
                    size = std::min(size, OffloadedState::kSlice - (place + begin) % OffloadedState::kSlice);
                if (size == count) {
                    group.pieces.push_back(part.slot);
                    group.rounded.push_back(part.rounded);
                    break;
                }
                optim::Slot piece{
                    part.slot.value.narrow(0, begin, size), part.slot.gradient.narrow(0, begin, size), {}};
                for (const at::Tensor& state : part.slot.states)
                    piece.states.push_back(state.narrow(0, begin, size));
                group.pieces.push_back(std::move(piece));
                group.rounded.push_back(rounds ? part.rounded.narrow(0, begin, size) : at::Tensor());
            }
        }
    }
    cut_slices();
}

FlatOptimizer::Group& FlatOptimizer::group_for(const parallel::Parameter& parameter) {
    const std::size_t plan = plan_.group_of(parameter.name(), parameter.shape());
    config::OptimizerSettings settings = plan_.settings_of(plan, parameter.shape());
    const auto same = [&](const Group& group) {
        return group.plan == plan && (!settings.has("weight_decay") ||
                                      group.settings.number("weight_decay") == settings.number("weight_decay"));
    };
    const auto found = std::ranges::find_if(groups_, same);
    if (found != groups_.end())
        return *found;
    groups_.push_back({plan, std::move(settings), {}, {}, {}, {}, {}});
    return groups_.back();
}

/// Creates the states: views of whole buffers, in large pages or on a disk, if all states are slices; else a tensor for
/// each state.
void FlatOptimizer::make_states(bool sliced, const StateOffload& offload) {
    std::size_t most = 0;
    for (const Group& group : groups_)
        for (const Part& part : group.parts)
            most = std::max(most, config::states_of(group.settings, part.parameter->shape()).size());
    if (!offload.folder.empty()) {
        if (!sliced || !arena_.keeps_gradients() || !arena_.values().is_cpu())
            throw UserError(
                "parallel.offload_optimizer_device: only state that is updated element by element after backward, on a "
                "processor, can be stored on a disk: set it to none");
    }
    if (!offload.folder.empty() || arena_.offloaded() != nullptr) {
        offloaded_ = std::make_unique<OffloadedState>(offload, arena_.owned_elements(), most, arena_.offloaded());
        buffers_ = offloaded_->buffers();
    }
    while (sliced && buffers_.size() < most)
        buffers_.push_back(arena_.new_state());
    for (Group& group : groups_)
        for (Part& part : group.parts) {
            if (!sliced) {
                part.slot.states = optim::new_states(group.settings, part.slot.value.to(at::kFloat));
                continue;
            }
            const std::size_t count = config::states_of(group.settings, part.parameter->shape()).size();
            for (std::size_t i = 0; i < count; ++i)
                part.slot.states.push_back(arena_.state_view(buffers_[i], *part.parameter));
        }
}

/// In memory all is one slice.
void FlatOptimizer::cut_slices() {
    const std::int64_t elements = offloaded_ ? arena_.owned_elements() : 0;
    std::vector<std::size_t> next(groups_.size(), 0);
    for (std::int64_t end = 0; pieces_.empty() || end < elements;) {
        const std::int64_t begin = end;
        end =
            offloaded_ ? std::min(begin + OffloadedState::kSlice, elements) : std::numeric_limits<std::int64_t>::max();
        Pieces pieces;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            const Group& group = groups_[i];
            const std::size_t first = next[i];
            while (next[i] < group.pieces.size() && group.places[next[i]] < end)
                ++next[i];
            pieces.emplace_back(first, next[i]);
        }
        pieces_.push_back(std::move(pieces));
        slices_.push_back({begin, end});
    }
}

double FlatOptimizer::momentum(std::size_t) const {
    return plan_.groups.back().settings.momentum();
}

void FlatOptimizer::set_momentum(std::size_t, double momentum) {
    if (std::isnan(momentum))
        return;
    const std::size_t rest = plan_.groups.size() - 1;
    plan_.groups[rest].settings.set_momentum(momentum);
    for (Group& group : groups_)
        if (group.plan == rest)
            group.settings.set_momentum(momentum);
}

void FlatOptimizer::begin_step() {
    for (Group& group : groups_)
        (void)group.settings.set("lr", lr_ * plan_.groups[group.plan].lr_ratio);
    for (std::size_t plan = 0; plan < plan_.groups.size(); ++plan) {
        (void)plan_.groups[plan].settings.set("lr", lr_ * plan_.groups[plan].lr_ratio);
        optim::begin_update(plan_.groups[plan].settings, scalars_[plan]);
    }
}

void FlatOptimizer::update(const parallel::Parameter& parameter) {
    at::NoGradGuard no_grad;
    const Part* part = nullptr;
    const Group* group = group_of(parameter, &part);
    optim::Slot slot = part->slot;
    slot.gradient = parameter.gradient().detach().view(slot.value.sizes());
    slot.value = slot.value.to(at::kFloat);
    std::vector<optim::Slot> pieces;
    optim::add_pieces(slot, group->settings.kind().element_wise, pieces);
    optim::update_slots(group->settings, scalars_[group->plan], pieces);
    if (has_narrow_values()) {
        write_narrow(*group, *part, 0, slot.value, part->slot.value);
        parameter.value().detach().copy_(part->slot.value.view(parameter.shape()));  // of vectors a copy
        return;
    }
    if (group->settings.rounds_stochastically())
        round_value(*group, *part, 0, slot.value);
    if (part->rounded.defined())
        part->rounded.copy_(slot.value.view(-1));
}

/// Elements have their random numbers in the whole parameter.
void FlatOptimizer::round_value(const Group& group, const Part& part, std::int64_t first_element,
                                const at::Tensor& values) const {
    const parallel::Parameter& parameter = *part.parameter;
    const at::Tensor value = values.view(-1);
    const std::uint64_t key = hash_of_name(parameter.name());
    const auto update = static_cast<std::int64_t>(scalars_[group.plan].find("step")->second);
    const std::int64_t begin =
        first_element + (group.settings.kind().element_wise ? arena_.owned_of(parameter).begin : 0);
    if (parameter.part() == nullptr)
        return optim::round_stochastically(value, key, update, begin);
    parameter.part()->for_runs([&](std::int64_t own, std::int64_t whole, std::int64_t count) {
        const std::int64_t first = std::max(own, begin), last = std::min(own + count, begin + value.numel());
        if (first < last)
            optim::round_stochastically(value.narrow(0, first - begin, last - first), key, update, whole + first - own);
    });
}

void FlatOptimizer::step() {
    if (plain_)
        throw UserError("the parameters are the averaged weights since eval(): call train() before step()");
    at::NoGradGuard no_grad;
    if (!arena_.keeps_gradients()) {
        for (std::size_t plan = 0; plan < plan_.groups.size(); ++plan)
            optim::end_update(plan_.groups[plan].settings, scalars_[plan]);
        return;
    }
    begin_step();  // also of a group of which this rank has nothing: all ranks count alike
    exchange();
    const auto update_slice = [this](std::size_t slice) { update_pieces(pieces_[slice]); };
    if (offloaded_)
        offloaded_->walk(slices_, update_slice);
    else
        update_slice(0);
    for (const Group& group : groups_)
        for (const Part& part : group.parts)
            if (group.settings.rounds_stochastically() && !has_narrow_values()) {
                round_value(group, part, 0, part.slot.value);
                if (part.rounded.defined())
                    part.rounded.copy_(part.slot.value.view(-1));
            }
    const bool written = arena_.values().is_cpu() && models::is_half(arena_.compute_type()) && !has_narrow_values() &&
                         std::ranges::all_of(groups_, [this](const Group& one) {
                             return is_plain_adamw(one.settings, scalars_[one.plan]);
                         });
    for (std::size_t plan = 0; plan < plan_.groups.size(); ++plan)
        optim::end_update(plan_.groups[plan].settings, scalars_[plan]);
    gradient_divisor_ = 1;
    hold_gradients();
    if (!written && !arena_.sharding().any())  // else when the values of the other ranks are there
        arena_.refresh_compute();
}

bool FlatOptimizer::sums_gradients() const {
    return !mean_ || std::ranges::any_of(groups_, [this](const Group& group) {
        const optim::ExchangeRule* rule = optim::rule_of(group.settings.kind()).exchange;
        return rule == nullptr || rule->sums_gradients(group.settings, scalars_[group.plan]);
    });
}

void FlatOptimizer::hold_gradients() {
    if (model_ != nullptr)
        model_->hold_gradients(!sums_gradients());
}

/// If an exchange is prepared, the gradients are divided already.
double FlatOptimizer::divisor_of(const Group& group) const {
    return optim::rule_of(group.settings.kind()).exchange != nullptr ? 1 : gradient_divisor_;
}

void FlatOptimizer::exchange() {
    std::map<const parallel::Parameter*, parallel::OneBitMean::Item> items;
    for (Group& group : groups_) {
        const optim::ExchangeRule* rule = optim::rule_of(group.settings.kind()).exchange;
        const optim::Scalars& scalars = scalars_[group.plan];
        if (rule == nullptr || rule->is_adamw(group.settings, scalars))
            continue;
        optim::prepare_slots(group.settings, scalars, group.pieces, gradient_divisor_);
        if (const int what = rule->exchanged(group.settings, scalars); what != optim::ExchangeRule::kNothing)
            for (const Part& part : group.parts)
                items[part.parameter] = {.values = optim::exchanged_tensor(part.slot, what),
                                         .forgets_errors = rule->forgets_errors(group.settings, scalars)};
    }
    average(items);
}

void FlatOptimizer::average(const std::map<const parallel::Parameter*, parallel::OneBitMean::Item>& tensors) {
    std::vector<parallel::OneBitMean::Item> items;
    for (std::size_t number = 0; const parallel::Parameter* parameter : trained()) {
        if (const auto found = tensors.find(parameter); found != tensors.end()) {
            items.push_back(found->second);
            items.back().number = number;
        }
        ++number;
    }
    if (mean_)
        mean_->average(items, "momenta");
}

void FlatOptimizer::settle() {
    at::NoGradGuard no_grad;
    if (!mean_ || mean_->ranks().size() == 1)
        return;
    std::map<const parallel::Parameter*, parallel::OneBitMean::Item> items;
    std::set<std::size_t> plans;
    for (const Group& group : groups_)
        if (const int what = optim::unsettled_state(group.settings, scalars_[group.plan]);
            what != optim::ExchangeRule::kNothing) {
            plans.insert(group.plan);
            for (const Part& part : group.parts)
                items[part.parameter] = {.values = optim::exchanged_tensor(part.slot, what)};
        }
    if (plans.empty())
        return;
    average(items);
    for (Group& group : groups_)
        if (plans.contains(group.plan))
            optim::settle_slots(group.settings, scalars_[group.plan], group.pieces);
    for (const std::size_t plan : plans)
        optim::rule_of(plan_.groups[plan].settings.kind()).exchange->end_settle(scalars_[plan]);
    arena_.refresh_compute();
}

void FlatOptimizer::update_pieces(const Pieces& pieces) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Group& group = groups_[i];
        const auto [first, last] = pieces[i];
        if (first == last)
            continue;
        const optim::Scalars& scalars = scalars_[group.plan];
        if (has_narrow_values())
            update_narrow(group, pieces[i], scalars);
        else if (!is_plain_adamw(group.settings, scalars))
            optim::update_slots(group.settings, scalars, std::span(group.pieces).subspan(first, last - first),
                                divisor_of(group));
        else if (arena_.values().is_cpu())
            update_adamw_on_cpu(group, pieces[i], scalars);
        else
            update_adamw_fused(group, scalars);
    }
}

void FlatOptimizer::write_narrow(const Group& group, const Part& part, std::int64_t begin, const at::Tensor& values,
                                 const at::Tensor& to) const {
    if (group.settings.rounds_stochastically())
        round_value(group, part, begin, values);
    to.copy_(values);
}

void FlatOptimizer::update_narrow(const Group& group, std::pair<std::size_t, std::size_t> pieces,
                                  const optim::Scalars& scalars) {
    const config::OptimizerSettings& settings = group.settings;
    const bool on_cpu = arena_.values().is_cpu();
    const std::optional<models::AdamwStep> adamw = on_cpu && is_plain_adamw(settings, scalars)
                                                       ? std::optional(adamw_step(settings, scalars, gradient_divisor_))
                                                       : std::nullopt;
    const auto update = [&](std::size_t number) {
        optim::Slot piece = group.pieces[number];
        const at::Tensor narrow = std::exchange(piece.value, piece.value.to(at::kFloat));
        if (adamw)
            models::vector_loops().adamw(*adamw, piece.value.data_ptr<float>(), piece.gradient.const_data_ptr<float>(),
                                         piece.states[0].data_ptr<float>(), piece.states[1].data_ptr<float>(), nullptr,
                                         models::NumberFormat::fp32, piece.value.numel());
        else
            optim::update_slots(settings, scalars, {&piece, 1}, divisor_of(group));
        const Origin& origin = group.origins[number];
        write_narrow(group, group.parts[origin.part], origin.begin, piece.value, narrow);
    };
    const auto [first, last] = pieces;
    if (!on_cpu || !settings.kind().element_wise) {
        for (std::size_t i = first; i < last; ++i)
            update(i);
        return;
    }
    at::parallel_for(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), 1,
                     [&](std::int64_t begin, std::int64_t end) {
                         const at::NoGradGuard no_grad;  // is of a thread
                         for (std::int64_t i = begin; i < end; ++i)
                             update(static_cast<std::size_t>(i));
                     });
}

void FlatOptimizer::update_adamw_on_cpu(const Group& group, std::pair<std::size_t, std::size_t> pieces,
                                        const optim::Scalars& scalars) {
    const models::AdamwStep step = adamw_step(group.settings, scalars, gradient_divisor_);
    const models::NumberFormat format =
        models::format_of(arena_.compute().defined() ? arena_.compute_type() : at::kFloat);
    const auto first = static_cast<std::int64_t>(pieces.first), last = static_cast<std::int64_t>(pieces.second);
    at::parallel_for(first, last, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const optim::Slot& piece = group.pieces[static_cast<std::size_t>(i)];
            const at::Tensor& rounded = group.rounded[static_cast<std::size_t>(i)];
            models::vector_loops().adamw(step, piece.value.data_ptr<float>(), piece.gradient.const_data_ptr<float>(),
                                         piece.states[0].data_ptr<float>(), piece.states[1].data_ptr<float>(),
                                         rounded.defined() ? models::bits_to_write(rounded) : nullptr, format,
                                         piece.value.numel());
        }
    });
}

void FlatOptimizer::update_adamw_fused(const Group& group, const optim::Scalars& scalars) {
    std::optional<at::Tensor> divisor;
    if (gradient_divisor_ != 1.0)
        divisor = at::full({}, gradient_divisor_, arena_.values().options());
    // The kernel's steps are those that it makes, as tensors of their own.
    const at::Tensor step = at::full({}, scalars.find("step")->second, arena_.values().options());
    std::vector<at::Tensor> values, gradients, first, second, steps;
    for (const optim::Slot& piece : group.pieces) {
        values.push_back(piece.value);
        gradients.push_back(piece.gradient);
        first.push_back(piece.states[0]);
        second.push_back(piece.states[1]);
        steps.push_back(step);
    }
    const config::OptimizerSettings& settings = group.settings;
    if (!values.empty())
        at::_fused_adamw_(values, gradients, first, second, {}, steps, settings.number("lr"),
                          settings.numbers("betas")[0], settings.numbers("betas")[1], settings.number("weight_decay"),
                          settings.number("eps"), false, false, divisor);
}

std::vector<const parallel::Parameter*> FlatOptimizer::trained() const {
    std::vector<const parallel::Parameter*> all;
    for (const parallel::FlatGroup& group : arena_.groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains())
                all.push_back(parameter);
    return all;
}

std::vector<at::Tensor> FlatOptimizer::parameters() const {
    std::vector<at::Tensor> values;
    for (const parallel::Parameter* parameter : trained())
        values.push_back(parameter->value());
    return values;
}

void FlatOptimizer::zero_grad(bool) {
    arena_.forget_gradients();
}

const FlatOptimizer::Group* FlatOptimizer::group_of(const parallel::Parameter& parameter, const Part** part) const {
    for (const Group& group : groups_)
        for (const Part& one : group.parts)
            if (one.parameter == &parameter) {
                *part = &one;
                return &group;
            }
    return nullptr;
}

std::vector<FlatOptimizer::State> FlatOptimizer::states() const {
    std::vector<State> all;
    for (const parallel::Parameter* parameter : trained()) {
        const Part* part = nullptr;
        const Group* group = group_of(*parameter, &part);
        const std::vector<config::OptimizerState> names = config::states_of(group->settings, parameter->shape());
        for (std::size_t i = 0; i < names.size(); ++i)
            all.push_back({names[i].name, parameter, part->slot.states[i], group->settings.kind().element_wise});
    }
    return all;
}

std::vector<optim::StateGroup> FlatOptimizer::state_groups() const {
    std::vector<optim::StateGroup> all;
    for (const Group& group : groups_) {
        optim::StateGroup& one = all.emplace_back(optim::StateGroup{group.settings});
        (void)one.settings.set("lr", lr_ * plan_.groups[group.plan].lr_ratio);
        for (const Part& part : group.parts) {
            optim::ParameterState state{part.parameter->shape()};
            if (group.settings.kind().element_wise) {
                const parallel::Range own = arena_.owned_of(*part.parameter);
                state.slice = optim::Slice{own.begin, own.size()};
            }
            state.name = part.parameter->name();
            state.updated = true;
            state.scalars = scalars_[group.plan];
            state.tensors = part.slot.states;
            one.parameters.push_back(std::move(state));
        }
    }
    return all;
}

Tree FlatOptimizer::scalars() const {
    Tree all = Tree::dict();
    for (std::size_t plan = 0; plan < scalars_.size(); ++plan) {
        Tree own = Tree::dict();
        for (const auto& [name, value] : scalars_[plan])
            own.set(name, value);
        all.set(TreeKey(static_cast<std::int64_t>(plan)), std::move(own));
    }
    return all;
}

void FlatOptimizer::load_scalars(const Tree& scalars) {
    for (std::size_t plan = 0; plan < scalars_.size(); ++plan)
        if (const Tree* own = scalars.find(TreeKey(static_cast<std::int64_t>(plan))))
            for (const Tree::Entry& entry : own->entries())
                scalars_[plan][to_string(entry.key)] = entry.value.as_real();
    hold_gradients();
}

void FlatOptimizer::set_step(std::int64_t step) {
    for (optim::Scalars& scalars : scalars_)
        scalars["step"] = static_cast<double>(step);
    hold_gradients();
}

bool FlatOptimizer::averages() const {
    return plan_.groups.back().settings.kind().averages;
}

NamedTensors FlatOptimizer::averaged_values() const {
    const OffloadedState::Passing passing(offloaded_.get());
    NamedTensors values;
    for (const parallel::Parameter* parameter : trained()) {
        const Part* part = nullptr;
        const Group* group = group_of(*parameter, &part);
        const bool begun = group->settings.kind().averages && scalars_[group->plan].find("step")->second > 0;
        values.emplace_back(parameter->name(),
                            begun ? optim::averaged_value(group->settings, part->slot) : part->slot.value.clone());
    }
    return values;
}

config::OptimizerTraits FlatOptimizer::traits() const {
    config::OptimizerTraits traits = config::traits_of(plan_.groups.back().settings.kind());
    traits.element_wise = plan_.element_wise();
    for (const config::OptimizerPlan::Group& group : plan_.groups) {
        traits.exchanges_signs = traits.exchanges_signs || group.settings.kind().exchanges_signs;
        traits.local_steps = traits.local_steps || group.settings.kind().local_steps;
    }
    traits.in_backward = plan_.in_backward() && !arena_.keeps_gradients();
    return traits;
}

bool FlatOptimizer::needs_eval() const {
    if (mean_ && mean_->ranks().size() > 1 && std::ranges::any_of(groups_, [this](const Group& group) {
            return optim::unsettled_state(group.settings, scalars_[group.plan]) != optim::ExchangeRule::kNothing;
        }))
        return true;
    return averages() && !plain_ && std::ranges::any_of(scalars_, [](const optim::Scalars& scalars) {
               return scalars.find("step")->second > 0;
           });
}

void FlatOptimizer::eval() {
    settle();
    if (averages() && !plain_)
        plain_ = swap_in_averages();
}

void FlatOptimizer::train() {
    if (plain_)
        restore(*plain_);
    plain_.reset();
}

NamedTensors FlatOptimizer::swap_in_averages() {
    at::NoGradGuard no_grad;
    const NamedTensors values = averaged_values();
    NamedTensors plain;
    for (std::size_t i = 0; const parallel::Parameter* parameter : trained()) {
        const Part* part = nullptr;
        group_of(*parameter, &part);
        plain.emplace_back(parameter->name(), part->slot.value.clone());
        part->slot.value.copy_(values[i++].second);
    }
    return plain;
}

void FlatOptimizer::restore(const NamedTensors& values) {
    at::NoGradGuard no_grad;
    for (std::size_t i = 0; const parallel::Parameter* parameter : trained()) {
        const Part* part = nullptr;
        group_of(*parameter, &part);
        part->slot.value.copy_(values[i++].second);
    }
}

std::vector<optim::StateGroup> FlatOptimizer::numbered_groups() const {
    if (plain_)
        throw UserError("the parameters are the averaged weights since eval(): call train() before saving the state");
    const std::vector<const parallel::Parameter*> parameters = trained();
    std::vector<optim::StateGroup> groups = state_groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t p = 0; p < groups[g].parameters.size(); ++p)
            groups[g].parameters[p].number =
                std::ranges::find(parameters, groups_[g].parts[p].parameter) - parameters.begin();
    return groups;
}

Tree FlatOptimizer::state_dict() const {
    return optim::write_state_dict(numbered_groups());
}

Tree FlatOptimizer::whole_state_dict() const {
    if (!arena_.sharding().any())
        return state_dict();
    if (model_ == nullptr)
        throw UserError(
            "the ranks share out the optimizer state (parallel.zero_stage), and a state dictionary needs all of it: "
            "make the FlatOptimizer with the FlatModel instead of its arena, or set parallel.zero_stage to 0");
    const at::NoGradGuard no_grad;
    const OffloadedState::Passing passing(offloaded_.get());
    std::map<std::string, at::Tensor> wholes;
    for (const State& state : states()) {
        at::Tensor& own = wholes[state.name];
        if (!own.defined())
            own = arena_.new_state();
        arena_.state_view(own, *state.parameter).copy_(state.own.reshape({-1}));
    }
    for (auto& [name, state] : wholes)
        state = model_->sync()->gather_state_on_first(state, fmt::format("optimizer state {}", name));
    std::vector<optim::StateGroup> groups = numbered_groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t p = 0; p < groups[g].parameters.size(); ++p) {
            const parallel::Parameter& parameter = *groups_[g].parts[p].parameter;
            optim::ParameterState& own = groups[g].parameters[p];
            const std::vector<config::OptimizerState> names = config::states_of(groups_[g].settings, parameter.shape());
            for (std::size_t i = 0; i < names.size(); ++i)
                if (const at::Tensor& whole = wholes.at(names[i].name); whole.defined()) {
                    own.tensors[i] = arena_.view(whole, parameter).clone();
                    own.slice.reset();
                }
        }
    return optim::write_state_dict(groups);
}

void FlatOptimizer::load_state_dict(const Tree& state) {
    std::vector<optim::StateGroup> groups = state_groups();
    optim::read_state_dict(state, groups);
    if (groups.empty())
        return;
    for (std::size_t plan = 0; plan < scalars_.size(); ++plan)
        scalars_[plan] = optim::new_scalars(plan_.groups[plan].settings);
    load_states(groups);
    lr_ = groups.front().settings.number("lr") / plan_.groups[groups_.front().plan].lr_ratio;
    if (groups.size() == 1 || plan_.groups.size() == 1)
        set_momentum(0, groups.front().settings.momentum());
}

void FlatOptimizer::load_states(const Tree& state, const std::map<std::string, std::int64_t>& numbers) {
    if (numbers.empty())
        return;
    std::vector<optim::StateGroup> groups = state_groups();
    for (optim::StateGroup& group : groups)
        for (optim::ParameterState& one : group.parameters)
            if (const auto number = numbers.find(one.name); number != numbers.end())
                one.number = number->second;
    optim::read_parameter_states(state, groups);
    // Groups without parameters on this rank count, too.
    std::ranges::fill(scalars_, optim::read_scalars(state, numbers.begin()->second, plan_.groups.back().settings));
    load_states(groups);
}

void FlatOptimizer::load_states(const std::vector<optim::StateGroup>& groups) {
    at::NoGradGuard no_grad;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t p = 0; p < groups[g].parameters.size(); ++p) {
            const optim::ParameterState& stored = groups[g].parameters[p];
            std::vector<at::Tensor>& own = groups_[g].parts[p].slot.states;
            for (std::size_t i = 0; i < own.size(); ++i)
                if (stored.updated)
                    own[i].copy_(stored.tensors[i].view(own[i].sizes()));
                else  // before its first update
                    own[i].zero_();
            if (!stored.updated)
                continue;
            optim::Scalars& scalars = scalars_[groups_[g].plan];
            const double step = std::max(scalars["step"], stored.scalars.find("step")->second);
            scalars = stored.scalars;
            scalars["step"] = step;
        }
    hold_gradients();
}

}  // namespace trainyard::train
