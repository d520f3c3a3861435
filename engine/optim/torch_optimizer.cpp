// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/torch_optimizer.h"

#include <algorithm>
#include <limits>
#include <string>

#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/lbfgs.h>
#include <torch/optim/optimizer.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include "base/error.h"
#include "optim/lbfgs_state.h"

namespace trainyard::optim {

namespace {

namespace to = torch::optim;

// What differs between torch's classes: the names of their options and of their state, once each. `visit(name, value)` gets a reference that can be
// read and written, so that the same list serves both directions.
template <class Visit>
void fields(to::SGDOptions& o, Visit visit) {
    visit("lr", o.lr());
    visit("momentum", o.momentum());
    visit("dampening", o.dampening());
    visit("weight_decay", o.weight_decay());
    visit("nesterov", o.nesterov());
}
template <class Visit>
void fields(to::SGDParamState& s, Visit visit) {
    visit("momentum_buffer", s.momentum_buffer());
}

template <class Options, class Visit>
void adam_options(Options& o, Visit visit) {
    visit("lr", o.lr());
    visit("betas", o.betas());
    visit("eps", o.eps());
    visit("weight_decay", o.weight_decay());
    visit("amsgrad", o.amsgrad());
}
template <class State, class Visit>
void adam_state(State& s, Visit visit) {
    visit("step", s.step());
    visit("exp_avg", s.exp_avg());
    visit("exp_avg_sq", s.exp_avg_sq());
    visit("max_exp_avg_sq", s.max_exp_avg_sq());
}
template <class Visit>
void fields(to::AdamOptions& o, Visit visit) {
    adam_options(o, visit);
}
template <class Visit>
void fields(to::AdamWOptions& o, Visit visit) {
    adam_options(o, visit);
}
template <class Visit>
void fields(to::AdamParamState& s, Visit visit) {
    adam_state(s, visit);
}
template <class Visit>
void fields(to::AdamWParamState& s, Visit visit) {
    adam_state(s, visit);
}

template <class Visit>
void fields(to::RMSpropOptions& o, Visit visit) {
    visit("lr", o.lr());
    visit("momentum", o.momentum());
    visit("alpha", o.alpha());
    visit("eps", o.eps());
    visit("centered", o.centered());
    visit("weight_decay", o.weight_decay());
}
template <class Visit>
void fields(to::RMSpropParamState& s, Visit visit) {
    visit("step", s.step());
    visit("square_avg", s.square_avg());
    visit("momentum_buffer", s.momentum_buffer());
    visit("grad_avg", s.grad_avg());
}

template <class Visit>
void fields(to::AdagradOptions& o, Visit visit) {
    visit("lr", o.lr());
    visit("lr_decay", o.lr_decay());
    visit("eps", o.eps());
    visit("weight_decay", o.weight_decay());
    visit("initial_accumulator_value", o.initial_accumulator_value());
}
template <class Visit>
void fields(to::AdagradParamState& s, Visit visit) {
    visit("step", s.step());
    visit("sum", s.sum());
}

/// Calls `use` with the class's own options and state types, its name in the table of optimizers, and the option of
/// those that write_state_dict() writes for every kind which Python's class lacks. Returns false for other classes.
template <class Use>
bool with_types(const to::Optimizer& optimizer, Use use) {
    if (dynamic_cast<const to::SGD*>(&optimizer) != nullptr)
        use.template operator()<to::SGDOptions, to::SGDParamState>("sgd", "capturable");
    else if (dynamic_cast<const to::AdamW*>(&optimizer) != nullptr)
        use.template operator()<to::AdamWOptions, to::AdamWParamState>("adamw", "");
    else if (dynamic_cast<const to::Adam*>(&optimizer) != nullptr)
        use.template operator()<to::AdamOptions, to::AdamParamState>("adam", "");
    else if (dynamic_cast<const to::RMSprop*>(&optimizer) != nullptr)
        use.template operator()<to::RMSpropOptions, to::RMSpropParamState>("rmsprop", "fused");
    else if (dynamic_cast<const to::Adagrad*>(&optimizer) != nullptr)
        use.template operator()<to::AdagradOptions, to::AdagradParamState>("adagrad", "capturable");
    else
        return false;
    return true;
}

[[noreturn]] void unknown_class() {
    throw UserError(
        "the state of this optimizer class cannot be saved or loaded: use Adam, AdamW, SGD, RMSprop, Adagrad or LBFGS "
        "of "
        "torch::optim, or derive from trainyard::optim::Optimizer");
}

// --- options and state of torch's classes, and those of the table of optimizers --------------------------------------

using TorchBetas = std::tuple<double, double>;

template <class Value>
config::OptimizerValue table_value(const Value& value) {
    if constexpr (std::is_same_v<Value, TorchBetas>)
        return std::vector<double>{std::get<0>(value), std::get<1>(value)};
    else
        return value;
}

void set_value(TorchBetas& betas, const config::OptimizerValue& value) {
    const auto& numbers = std::get<std::vector<double>>(value);
    betas = {numbers.at(0), numbers.at(1)};
}
template <class Value>
void set_value(Value& to, const config::OptimizerValue& value) {
    to = std::get<Value>(value);
}

template <class Options>
config::OptimizerSettings settings_of(const char* kind, to::OptimizerParamGroup& group) {
    config::OptimizerSettings settings(*config::find_optimizer(kind));
    fields(static_cast<Options&>(group.options()), [&](const char* name, const auto& value) {
        if (const Message problem = settings.set(name, table_value(value)); !problem.empty())
            throw UserError(problem);
    });
    return settings;
}

template <class Options>
void set_options(to::OptimizerParamGroup& group, const config::OptimizerSettings& settings) {
    fields(static_cast<Options&>(group.options()),
           [&](const char* name, auto& value) { set_value(value, settings.value(name)); });
}

template <class State>
void read_state(State& state, ParameterState& own, const std::vector<config::OptimizerState>& described) {
    own.tensors.resize(described.size());
    fields(state, [&](const char* name, auto& value) {
        if constexpr (std::is_same_v<decltype(value), std::int64_t&>) {
            own.scalars[name] = static_cast<double>(value);
        } else if (const auto found = std::ranges::find(described, name, &config::OptimizerState::name);
                   found != described.end()) {
            if (value.defined())
                own.tensors[static_cast<std::size_t>(found - described.begin())] = value.detach();
        }
    });
}

template <class State>
void write_state(State& state, const Scalars& scalars, const std::vector<at::Tensor>& tensors,
                 const std::vector<config::OptimizerState>& described) {
    fields(state, [&](const char* name, auto& value) {
        if constexpr (std::is_same_v<decltype(value), std::int64_t&>) {
            value = static_cast<std::int64_t>(scalars.find(name)->second);
        } else if (const auto found = std::ranges::find(described, name, &config::OptimizerState::name);
                   found != described.end()) {
            value = tensors[static_cast<std::size_t>(found - described.begin())];
        }
    });
}

}  // namespace

TorchOptimizer::TorchOptimizer(std::unique_ptr<torch::optim::Optimizer> inner) : inner_(std::move(inner)) {}
TorchOptimizer::~TorchOptimizer() = default;

bool TorchOptimizer::is_element_wise() const {
    return with_types(*inner_, []<class Options, class State>(const char*, const char*) {});
}

std::size_t TorchOptimizer::group_count() const {
    return inner_->param_groups().size();
}

double TorchOptimizer::lr(std::size_t group) const {
    return inner_->param_groups().at(group).options().get_lr();
}

void TorchOptimizer::set_lr(std::size_t group, double lr) {
    inner_->param_groups().at(group).options().set_lr(lr);
}

double TorchOptimizer::momentum(std::size_t group) const {
    double momentum = std::numeric_limits<double>::quiet_NaN();
    with_types(*inner_, [&]<class Options, class State>(const char* kind, const char*) {
        momentum = settings_of<Options>(kind, inner_->param_groups().at(group)).momentum();
    });
    return momentum;
}

void TorchOptimizer::set_momentum(std::size_t group, double momentum) {
    with_types(*inner_, [&]<class Options, class State>(const char* kind, const char*) {
        config::OptimizerSettings settings = settings_of<Options>(kind, inner_->param_groups().at(group));
        settings.set_momentum(momentum);
        set_options<Options>(inner_->param_groups()[group], settings);
    });
}

std::vector<at::Tensor> TorchOptimizer::parameters() const {
    std::vector<at::Tensor> all;
    for (const to::OptimizerParamGroup& group : inner_->param_groups())
        all.insert(all.end(), group.params().begin(), group.params().end());
    return all;
}

void TorchOptimizer::replace_parameters(const std::vector<OwnedSlice>& slices) {
    std::size_t next = 0;
    for (to::OptimizerParamGroup& group : inner_->param_groups())
        for (at::Tensor& parameter : group.params())
            parameter = slices.at(next++).values;
    slices_ = slices;
}

config::OptimizerTraits TorchOptimizer::traits() const {
    const bool lbfgs = dynamic_cast<const to::LBFGS*>(inner_.get()) != nullptr;
    return {.name = lbfgs ? "LBFGS" : "this optimizer", .element_wise = is_element_wise(), .needs_closure = lbfgs};
}

void TorchOptimizer::step() {
    inner_->step();
}

double TorchOptimizer::step(const std::function<double()>& closure) {
    const at::Tensor loss = inner_->step([&] { return at::scalar_tensor(closure(), at::kDouble); });
    return loss.item<double>();
}

void TorchOptimizer::zero_grad(bool set_to_none) {
    inner_->zero_grad(set_to_none);
}

void TorchOptimizer::move_state_to_parameters() {
    c10::NoGradGuard no_grad;
    with_types(*inner_, [&]<class Options, class State>(const char*, const char*) {
        for (const at::Tensor& parameter : parameters()) {
            const auto place = inner_->state().find(parameter.unsafeGetTensorImpl());
            if (place != inner_->state().end())
                fields(static_cast<State&>(*place->second), [&](const char*, auto& value) {
                    if constexpr (std::is_same_v<decltype(value), at::Tensor&>)
                        if (value.defined())
                            value = value.to(parameter.device());
                });
        }
    });
}

std::size_t TorchOptimizer::state_count(std::size_t parameter) const {
    for (const StateGroup& group : state_groups()) {
        if (parameter < group.parameters.size())
            return config::states_of(group.settings, group.parameters[parameter].shape).size();
        parameter -= group.parameters.size();
    }
    return 0;
}

void TorchOptimizer::replace_states(std::size_t parameter, const ReplaceState& replace) {
    with_types(*inner_, [&]<class Options, class State>(const char* kind, const char*) {
        std::size_t next = 0;
        for (to::OptimizerParamGroup& group : inner_->param_groups())
            for (const at::Tensor& one : group.params()) {
                const auto place = inner_->state().find(one.unsafeGetTensorImpl());
                if (next++ != parameter || place == inner_->state().end())
                    continue;
                const auto described = config::states_of(settings_of<Options>(kind, group), one.sizes().vec());
                fields(static_cast<State&>(*place->second), [&](const char* name, auto& value) {
                    if constexpr (std::is_same_v<decltype(value), at::Tensor&>) {
                        const auto found = std::ranges::find(described, name, &config::OptimizerState::name);
                        if (found != described.end() && value.defined())
                            value = replace(static_cast<std::size_t>(found - described.begin()), value);
                    }
                });
            }
    });
}

std::vector<StateGroup> TorchOptimizer::state_groups() const {
    std::vector<StateGroup> all;
    const bool known = with_types(*inner_, [&]<class Options, class State>(const char* kind, const char*) {
        std::size_t next = 0;
        for (to::OptimizerParamGroup& group : inner_->param_groups()) {
            StateGroup& own = all.emplace_back(StateGroup{settings_of<Options>(kind, group)});
            for (const at::Tensor& parameter : group.params()) {
                ParameterState& one = own.parameters.emplace_back(blank_state(parameter, slices_, next++));
                const auto place = inner_->state().find(parameter.unsafeGetTensorImpl());
                one.updated = place != inner_->state().end();
                if (one.updated)
                    read_state(static_cast<State&>(*place->second), one, config::states_of(own.settings, one.shape));
            }
        }
    });
    if (!known)
        unknown_class();
    return all;
}

Tree TorchOptimizer::state_dict() const {
    if (auto* lbfgs = dynamic_cast<to::LBFGS*>(inner_.get()))
        return lbfgs_state_dict(*lbfgs);
    Tree saved = write_state_dict(state_groups());
    with_types(*inner_, [&]<class Options, class State>(const char*, const std::string& lacking) {
        for (Tree& group : saved.find("param_groups")->items())
            std::erase_if(group.entries(), [&](const Tree::Entry& entry) { return entry.key == TreeKey(lacking); });
    });
    return saved;
}

void TorchOptimizer::load_state_dict(const Tree& saved) {
    if (auto* lbfgs = dynamic_cast<to::LBFGS*>(inner_.get()))
        return load_lbfgs_state_dict(*lbfgs, saved);
    std::vector<StateGroup> loaded = state_groups();
    read_state_dict(saved, loaded);
    for (std::size_t g = 0; g < loaded.size(); ++g)
        if (loaded[g].settings.flag("maximize"))
            throw UserError(
                "parameter group {} of the optimizer's state maximizes, which torch's C++ optimizers cannot: change "
                "the sign of the loss",
                g);
    with_types(*inner_, [&]<class Options, class State>(const char*, const char*) {
        inner_->state().clear();
        for (std::size_t g = 0; g < loaded.size(); ++g) {
            to::OptimizerParamGroup& group = inner_->param_groups()[g];
            set_options<Options>(group, loaded[g].settings);
            for (std::size_t p = 0; p < group.params().size(); ++p) {
                const ParameterState& stored = loaded[g].parameters[p];
                if (!stored.updated || stored.tensors.empty())  // SGD takes any state for one with a buffer
                    continue;
                auto state = std::make_unique<State>();
                write_state(*state, stored.scalars, copy_states(stored, loaded[g].settings, group.params()[p]),
                            config::states_of(loaded[g].settings, stored.shape));
                inner_->state()[group.params()[p].unsafeGetTensorImpl()] = std::move(state);
            }
        }
    });
}

}  // namespace trainyard::optim
