// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/state_dict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <c10/util/accumulate.h>

#include "base/error.h"
#include "optim/eight_bit_rules.h"

namespace trainyard::optim {

namespace {

double number_of(const Tree& tree) {
    if (tree.is_none())
        return std::numeric_limits<double>::quiet_NaN();
    return tree.is_tensor() ? tree.as_tensor().item<double>() : tree.as_real();
}

Tree tree_of_number(double number) {
    return std::isnan(number) ? Tree() : Tree(number);
}

Tree tree_of_value(const config::OptimizerValue& value) {
    if (const double* number = std::get_if<double>(&value))
        return tree_of_number(*number);
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag;
    if (const auto* word = std::get_if<std::string>(&value))
        return word->empty() ? Tree() : Tree(*word);
    Tree::List items;
    for (const double number : std::get<std::vector<double>>(value))
        items.push_back(tree_of_number(number));
    return Tree::tuple(std::move(items));
}

/// A group as torch's classes have it, without its parameters.
Tree tree_of_group(const StateGroup& group) {
    const config::OptimizerKind& kind = group.settings.kind();
    Tree tree = Tree::dict();
    for (const config::OptimizerArgument& argument : kind.arguments)
        if (!argument.saved_when_set || group.settings.value(argument.name) != argument.value)
            tree.set(argument.name, tree_of_value(group.settings.value(argument.name)));
    // Python's classes have these, too, and load only groups that contain them.
    for (const char* name : {"maximize", "differentiable", "capturable"})
        if (tree.find(name) == nullptr)
            tree.set(name, false);
    for (const char* name : {"foreach", "fused"})
        tree.set(name, Tree());
    for (const config::SavedEntry& entry : kind.saved_entries) {
        config::OptimizerValue value = entry.value;
        if (!entry.first.empty())
            std::get<std::vector<double>>(value)[0] = group.settings.number(entry.first);
        tree.set(entry.key, tree_of_value(value));
    }
    if (kind.averages)
        tree.set("train_mode", !group.is_average);
    for (const Tree::Entry& entry : group.more.is_none() ? Tree::Dict() : group.more.entries())
        tree.set(entry.key, entry.value);
    const auto updated = std::ranges::find(group.parameters, true, &ParameterState::updated);
    const Scalars scalars = updated != group.parameters.end() ? updated->scalars : new_scalars(group.settings);
    for (const std::string& name : kind.group_scalars) {
        const auto found = scalars.find(name);
        tree.set(name, found != scalars.end() ? found->second : 0.0);
    }
    return tree;
}

/// state1 -> qmap1
std::string name_of_values(const std::string& state) {
    return "qmap" + state.substr(state.size() - 1);
}

Tree tree_of_parameter(const ParameterState& state, const config::OptimizerSettings& settings) {
    Tree tree = Tree::dict();
    if (!state.updated)
        return tree;
    const std::string& under = settings.kind().states_under;
    // torch has them as tensors, each in memory of its own: its optimizers count in place. bitsandbytes has whole
    // numbers.
    for (const std::string& name : settings.kind().scalars) {
        const double number = state.scalars.find(name)->second;
        tree.set(name, under.empty() ? Tree(at::full({}, number, at::kFloat))
                                     : Tree(static_cast<std::int64_t>(std::llround(number))));
    }
    Tree nested = Tree::dict();
    Tree& states = under.empty() ? tree : nested;
    const std::vector<config::OptimizerState> described = config::states_of(settings, state.shape);
    for (std::size_t i = 0; i < std::min(described.size(), state.tensors.size()); ++i) {
        const auto& [name, shape, element_bytes] = described[i];
        const at::Tensor& tensor = state.tensors[i];
        if (!tensor.defined())
            continue;
        states.set(name, tensor.numel() == c10::multiply_integers(shape) ? tensor.view(shape) : tensor);
        if (element_bytes == 1)
            states.set(name_of_values(name), code_values(name));
    }
    if (!under.empty())
        tree.set(under, std::move(nested));
    return tree;
}

void add_named_states(const Tree& own, const std::string& name, NamedTensors& all) {
    for (const Tree::Entry& entry : own.entries())
        if (const std::string key = to_string(entry.key); entry.value.is_dict())
            add_named_states(entry.value, name, all);
        else if (entry.value.is_tensor() && !config::is_beside_states(key))
            all.emplace_back(key + "." + name, entry.value.as_tensor());
}

/// The entries of a parameter that are its states.
const Tree& stored_states(const Tree& own, const config::OptimizerKind& kind) {
    return kind.states_under.empty() ? own : own.at(kind.states_under);
}

/// Throws UserError if the codes of the state stand for other values than ours.
void check_code_values(const Tree& states, const std::string& name) {
    const Tree* values = states.find(name_of_values(name));
    if (values != nullptr && !values->as_tensor().cpu().equal(code_values(name)))
        throw UserError("the optimizer's state: '{}' is another table of 8-bit values than bitsandbytes has",
                        name_of_values(name));
}

/// The part of a stored tensor that belongs to the parameter; undefined: it has another shape.
at::Tensor fitting_part(const at::Tensor& stored, const ParameterState& state, at::IntArrayRef shape) {
    if (!state.slice)
        return stored.sizes() == shape ? stored : at::Tensor();
    if (stored.sizes() == at::IntArrayRef(state.shape))
        return stored.reshape({-1}).narrow(0, state.slice->begin, state.slice->size);
    return stored.dim() == 1 && stored.numel() == state.slice->size ? stored : at::Tensor();
}

/// The group with that parameter.
const Tree& group_of(const Tree& saved, std::int64_t number) {
    for (const Tree& group : saved.at("param_groups").items())
        for (const Tree& one : group.at("params").items())
            if (one.as_integer() == number)
                return group;
    throw UserError("the optimizer's state has no group of parameter {}", number);
}

}  // namespace

Message set_option(config::OptimizerSettings& settings, const std::string& name, const Tree& value) {
    const config::OptimizerArgument* argument = settings.kind().find(name);
    if (argument == nullptr)
        return settings.set(name, config::OptimizerValue());
    config::OptimizerValue wanted = argument->value;
    try {
        if (auto* one = std::get_if<double>(&wanted)) {
            *one = number_of(value);
        } else if (auto* list = std::get_if<std::vector<double>>(&wanted)) {
            list->clear();
            for (const Tree& item : value.items())
                list->push_back(number_of(item));
        } else if (auto* flag = std::get_if<bool>(&wanted)) {
            *flag = value.as_bool();
        } else {
            wanted = value.is_none() ? std::get<std::string>(argument->value) : value.as_text();
        }
    } catch (const UserError& error) {
        return Message("{} of {}: {}", name, settings.kind().torch_name, message_of(error));
    }
    return settings.set(name, std::move(wanted));
}

void read_settings(config::OptimizerSettings& settings, const Tree& group, const Message& where) {
    for (const config::OptimizerArgument& argument : settings.kind().arguments) {
        const Tree* value = group.find(argument.name);
        if (value == nullptr && argument.name != "lr")
            continue;  // of a version that had no such argument
        if (value == nullptr)
            throw UserError("{} has no '{}': it is of another optimizer than {}", where, argument.name,
                            settings.kind().torch_name);
        if (const Message problem = set_option(settings, argument.name, *value); !problem.empty())
            throw UserError("{}: {}", where, problem);
    }
    for (const config::SavedEntry& entry : settings.kind().saved_entries)
        if (const Tree* list = entry.first.empty() ? nullptr : group.find(entry.key);
            list != nullptr && group.find(entry.first) == nullptr && !list->items().empty())
            if (const Message problem = set_option(settings, entry.first, list->items()[0]); !problem.empty())
                throw UserError("{}: {}", where, problem);
}

ParameterState blank_state(const at::Tensor& parameter, const std::vector<OwnedSlice>& slices, std::size_t number) {
    if (slices.empty())
        return {parameter.sizes().vec()};
    return {slices.at(number).shape, Slice{slices[number].begin, slices[number].values.numel()}};
}

Tree write_state_dict(const std::vector<StateGroup>& groups) {
    Tree state = Tree::dict(), all = Tree::list();
    std::int64_t next = 0;
    for (const StateGroup& group : groups) {
        Tree entry = tree_of_group(group), numbers = Tree::list(), names = Tree::list();
        for (const ParameterState& one : group.parameters) {
            const std::int64_t number = one.number.value_or(next++);
            if (Tree own = tree_of_parameter(one, group.settings); !own.entries().empty())
                state.set(number, std::move(own));
            numbers.append(number);
            if (!one.name.empty())
                names.append(one.name);
        }
        entry.set("params", std::move(numbers));
        if (!names.items().empty())
            entry.set("param_names", std::move(names));
        all.append(std::move(entry));
    }
    return Tree::dict({{"state", std::move(state)}, {"param_groups", std::move(all)}});
}

void read_state_dict(const Tree& saved, std::vector<StateGroup>& groups) {
    const Tree::List& saved_groups = saved.at("param_groups").items();
    if (saved_groups.size() != groups.size())
        throw UserError("the optimizer's state has {} parameter groups, the optimizer {}", saved_groups.size(),
                        groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Message where("parameter group {} of the optimizer's state", g);
        const Tree::List& numbers = saved_groups[g].at("params").items();
        if (numbers.size() != groups[g].parameters.size())
            throw UserError("{} has {} parameters, the optimizer's {}", where, numbers.size(),
                            groups[g].parameters.size());
        read_settings(groups[g].settings, saved_groups[g], where);
        const Tree* trains = groups[g].settings.kind().averages ? saved_groups[g].find("train_mode") : nullptr;
        groups[g].is_average = trains != nullptr && trains->is_bool() && !trains->as_bool();
        for (std::size_t p = 0; p < numbers.size(); ++p)
            groups[g].parameters[p].number = numbers[p].as_integer();
    }
    read_parameter_states(saved, groups);
}

void read_parameter_states(const Tree& saved, std::vector<StateGroup>& groups) {
    for (StateGroup& group : groups)
        for (ParameterState& one : group.parameters) {
            const Tree* own = one.number ? saved.at("state").find(*one.number) : nullptr;
            one.updated = own != nullptr;
            if (own == nullptr)
                continue;
            one.scalars = read_scalars(saved, *one.number, group.settings);
            one.tensors.clear();
            const Tree& states = stored_states(*own, group.settings.kind());
            for (const config::OptimizerState& described : config::states_of(group.settings, one.shape)) {
                if (described.element_bytes == 1)
                    check_code_values(states, described.name);
                one.tensors.push_back(fitting_part(states.at(described.name).as_tensor(), one, described.shape));
                if (!one.tensors.back().defined())
                    throw UserError(
                        "the optimizer's state: '{}' of parameter {} has another shape than the parameter needs",
                        described.name, one.name.empty() ? std::to_string(*one.number) : one.name);
            }
        }
}

Scalars read_scalars(const Tree& saved, std::int64_t number, const config::OptimizerSettings& settings) {
    const config::OptimizerKind& kind = settings.kind();
    const Tree &own = saved.at("state").at(number), &group = group_of(saved, number);
    Scalars scalars = new_scalars(settings);
    scalars["step"] = 1;  // of a kind that does not count: there was one at least
    for (const std::string& name : kind.scalars)
        scalars[name] = number_of(own.at(name));
    for (const std::string& name : kind.group_scalars)
        scalars[name] = number_of(group.at(name));
    scalars["step"] = scalars[kind.counter];
    return scalars;
}

std::vector<at::Tensor> copy_states(const ParameterState& state, const config::OptimizerSettings& settings,
                                    const at::Tensor& parameter) {
    at::NoGradGuard no_grad;
    std::vector<at::Tensor> copies = new_states(settings, parameter);
    for (std::size_t i = 0; i < copies.size(); ++i)
        copies[i].copy_(state.tensors.at(i).view(copies[i].sizes()));
    return copies;
}

NamedTensors named_states(const Tree& saved) {
    NamedTensors all;
    const Tree *groups = saved.find("param_groups"), *state = saved.find("state");
    if (groups == nullptr || !groups->is_list() || state == nullptr)
        return all;
    for (const Tree& group : groups->items()) {
        const Tree *numbers = group.find("params"), *names = group.find("param_names");
        if (numbers == nullptr || names == nullptr)
            continue;
        for (std::size_t i = 0; i < std::min(numbers->items().size(), names->items().size()); ++i)
            if (const Tree* own = state->find(numbers->items()[i].as_integer()))
                add_named_states(*own, names->items()[i].as_text(), all);
    }
    return all;
}

}  // namespace trainyard::optim
