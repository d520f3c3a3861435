#include "optim/rule_optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <fmt/format.h>

#include "base/error.h"
#include "optim/optimizer_tree.h"

namespace trainyard::optim {

namespace {

/// torch has numbers of a parameter as tensors of one element.
Tree scalar_tensor(double value) {
    return at::full({}, value, at::kFloat);
}

double number_of(const Tree& tree) {
    return tree.is_tensor() ? tree.as_tensor().item<double>() : tree.as_real();
}

Tree to_tree_of(const config::OptimizerValue& value) {
    if (const double* number = std::get_if<double>(&value))
        return std::isnan(*number) ? Tree() : Tree(*number);
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* word = std::get_if<std::string>(&value))
        return word->empty() ? Tree() : Tree(*word);
    Tree::List items;
    for (const double number : std::get<std::vector<double>>(value))
        items.push_back(std::isnan(number) ? Tree() : Tree(number));
    return Tree::tuple(std::move(items));
}

/// What Python's classes have besides, so that they load what is written here.
void add_python_options(Tree& group, const config::OptimizerKind& kind) {
    for (const char* name : {"maximize", "differentiable", "capturable"})
        if (group.find(name) == nullptr)
            group.set(name, false);
    for (const char* name : {"foreach", "fused"})
        group.set(name, Tree());
    if (kind.averages)
        group.set("train_mode", true);
}

class UpdateHook final : public torch::autograd::PostAccumulateGradHook {
  public:
    explicit UpdateHook(std::function<void(const at::Tensor&)> update) : update_(std::move(update)) {}
    void operator()(const torch::autograd::Variable& parameter) override { update_(parameter); }

  private:
    std::function<void(const at::Tensor&)> update_;
};

}  // namespace

Tree settings_to_tree(const config::OptimizerSettings& settings) {
    Tree group = Tree::dict();
    for (const config::OptimizerArgument& argument : settings.kind().arguments)
        group.set(argument.name, to_tree_of(settings.value(argument.name)));
    add_python_options(group, settings.kind());
    return group;
}

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

void RuleOptimizer::update(std::size_t group, OfParameter& one, const at::Tensor& parameter) {
    const config::OptimizerSettings& settings = groups_[group].settings;
    if (!one.begun) {
        one.slot.states = new_states(settings, parameter);
        one.scalars = new_scalars(settings);
        one.begun = true;
    }
    one.slot.value = parameter.detach();
    one.slot.gradient = parameter.grad().detach();
    // A gradient that others read keeps its values.
    if (settings.kind().changes_gradients)
        one.slot.gradient = one.slot.gradient.clone();
    std::vector<Slot> pieces;
    add_pieces(one.slot, settings.kind().element_wise, pieces);
    begin_update(settings, one.scalars);
    update_slots(settings, one.scalars, pieces);
    end_update(settings, one.scalars);
    one.slot.gradient = at::Tensor();
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
            if (groups_[g].parameters[p].grad().defined())
                update(g, states_[g][p], groups_[g].parameters[p]);
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
    }
    return all;
}

bool RuleOptimizer::needs_eval() const {
    for (std::size_t g = 0; g < groups_.size() && !is_average_; ++g)
        if (groups_[g].settings.kind().averages && std::ranges::any_of(states_[g], &OfParameter::begun))
            return true;
    return false;
}

void RuleOptimizer::eval() {
    move_to(true);
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

void RuleOptimizer::replace_parameters(const std::vector<at::Tensor>& parameters) {
    std::size_t next = 0;
    for (Group& group : groups_)
        for (at::Tensor& parameter : group.parameters)
            parameter = parameters.at(next++);
}

void RuleOptimizer::move_state_to_parameters() {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p)
            for (at::Tensor& state : states_[g][p].slot.states)
                state = state.to(groups_[g].parameters[p].device());
}

Tree RuleOptimizer::state_dict() const {
    Tree state = Tree::dict(), groups = Tree::list();
    std::int64_t number = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const config::OptimizerKind& kind = groups_[g].settings.kind();
        Tree group = settings_to_tree(groups_[g].settings), numbers = Tree::list();
        for (std::size_t p = 0; p < groups_[g].parameters.size(); ++p) {
            const OfParameter& one = states_[g][p];
            if (one.begun) {
                Tree own = Tree::dict();
                for (const std::string& name : kind.scalars)
                    own.set(name, scalar_tensor(one.scalars.find(name)->second));
                const std::vector<config::OptimizerState> names =
                    config::states_of(groups_[g].settings, groups_[g].parameters[p].sizes().vec());
                for (std::size_t i = 0; i < names.size(); ++i)
                    own.set(names[i].name, one.slot.states[i]);
                if (!own.entries().empty())
                    state.set(TreeKey(number), std::move(own));
                for (const std::string& name : kind.group_scalars)
                    group.set(name, one.scalars.find(name)->second);
            }
            numbers.append(number++);
        }
        if (kind.averages)
            group.set("train_mode", !is_average_);
        group.set("params", std::move(numbers));
        groups.append(std::move(group));
    }
    return Tree::dict({{"state", std::move(state)}, {"param_groups", std::move(groups)}});
}

void RuleOptimizer::load_state_dict(const Tree& saved) {
    const Tree::List& saved_groups = saved.at("param_groups").items();
    const Tree& saved_state = saved.at("state");
    if (saved_groups.size() != groups_.size())
        throw UserError("the optimizer's state has {} parameter groups, the optimizer {}", saved_groups.size(),
                        groups_.size());
    std::vector<config::OptimizerSettings> settings;
    std::vector<std::vector<OfParameter>> states;
    bool is_average = false;  // the weights that were saved with this state
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const config::OptimizerKind& kind = groups_[g].settings.kind();
        const Message where("parameter group {} of the optimizer's state", g);
        const Tree::List& numbers = saved_groups[g].at("params").items();
        if (numbers.size() != groups_[g].parameters.size())
            throw UserError("{} has {} parameters, the optimizer's {}", where, numbers.size(),
                            groups_[g].parameters.size());
        settings.push_back(groups_[g].settings);
        set_from_tree(settings.back(), saved_groups[g], where);
        const Tree* trains = kind.averages ? saved_groups[g].find("train_mode") : nullptr;
        is_average = is_average || (trains != nullptr && trains->is_bool() && !trains->as_bool());
        states.emplace_back(numbers.size());
        for (std::size_t p = 0; p < numbers.size(); ++p) {
            const Tree* values = saved_state.find(numbers[p].as_integer());
            if (values == nullptr)
                continue;
            OfParameter& one = states.back()[p];
            const at::Tensor& parameter = groups_[g].parameters[p];
            one.slot.states = new_states(settings.back(), parameter);
            one.scalars = new_scalars(settings.back());
            one.scalars["step"] = 1;  // of a kind that does not count: there was one at least
            for (const std::string& name : kind.scalars)
                one.scalars[name] = number_of(values->at(name));
            for (const std::string& name : kind.group_scalars)
                one.scalars[name] = number_of(saved_groups[g].at(name));
            if (const auto k = one.scalars.find("k"); k != one.scalars.end())
                one.scalars["step"] = k->second;
            const std::vector<config::OptimizerState> names =
                config::states_of(settings.back(), parameter.sizes().vec());
            for (std::size_t i = 0; i < names.size(); ++i) {
                const at::Tensor& stored = values->at(names[i].name).as_tensor();
                if (stored.sizes() != one.slot.states[i].sizes())
                    throw UserError(
                        "{}: '{}' of parameter {} has another shape than the parameter "
                        "needs",
                        where, names[i].name, numbers[p].as_integer());
                at::NoGradGuard no_grad;
                one.slot.states[i].copy_(stored);
            }
            one.begun = true;
        }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g)
        groups_[g].settings = settings[g];
    states_ = std::move(states);
    is_average_ = is_average;
}

}  // namespace trainyard::optim
