#include "optim/torch_optimizer.h"

#include <limits>
#include <string>
#include <unordered_map>

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

/// Calls `use` with the class's own options and state types; false for a class that is not in the list.
template <class Use>
bool with_types(const to::Optimizer& optimizer, Use use) {
    if (dynamic_cast<const to::SGD*>(&optimizer) != nullptr)
        use.template operator()<to::SGDOptions, to::SGDParamState>();
    else if (dynamic_cast<const to::AdamW*>(&optimizer) != nullptr)
        use.template operator()<to::AdamWOptions, to::AdamWParamState>();
    else if (dynamic_cast<const to::Adam*>(&optimizer) != nullptr)
        use.template operator()<to::AdamOptions, to::AdamParamState>();
    else if (dynamic_cast<const to::RMSprop*>(&optimizer) != nullptr)
        use.template operator()<to::RMSpropOptions, to::RMSpropParamState>();
    else if (dynamic_cast<const to::Adagrad*>(&optimizer) != nullptr)
        use.template operator()<to::AdagradOptions, to::AdagradParamState>();
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

// --- a value of an option or of the state, and its form in the dictionary ----------------------------------------------------------------------

Tree to_tree(double value) {
    return value;
}
Tree to_tree(bool value) {
    return value;
}
Tree to_tree(const std::tuple<double, double>& betas) {
    return Tree::tuple({std::get<0>(betas), std::get<1>(betas)});
}
/// torch keeps the count of steps as a tensor.
Tree to_tree(std::int64_t step) {
    return at::scalar_tensor(static_cast<double>(step), at::kFloat);
}
Tree to_tree(const at::Tensor& tensor) {
    return tensor.defined() ? Tree(tensor.detach()) : Tree();
}

void from_tree(const Tree& tree, double& value) {
    value = tree.is_tensor() ? tree.as_tensor().item<double>() : tree.as_real();
}
void from_tree(const Tree& tree, bool& value) {
    value = tree.as_bool();
}
void from_tree(const Tree& tree, std::tuple<double, double>& betas) {
    if (tree.items().size() != 2)
        throw UserError("betas must be two numbers");
    betas = {tree.items()[0].as_real(), tree.items()[1].as_real()};
}
void from_tree(const Tree& tree, std::int64_t& step) {
    step = tree.is_tensor() ? static_cast<std::int64_t>(tree.as_tensor().item<double>())
                            : static_cast<std::int64_t>(tree.as_real());
}
void from_tree(const Tree& tree, at::Tensor& tensor) {
    tensor = tree.is_none() ? at::Tensor() : tree.as_tensor();
}

/// What Python's classes have besides, so that they load what we write.
Tree python_options(const to::Optimizer& optimizer) {
    Tree more = Tree::dict({{"maximize", false}, {"foreach", Tree()}, {"differentiable", false}});
    const bool is_adamw = dynamic_cast<const to::AdamW*>(&optimizer) != nullptr;
    const bool is_adam = is_adamw || dynamic_cast<const to::Adam*>(&optimizer) != nullptr;
    const bool is_rmsprop = dynamic_cast<const to::RMSprop*>(&optimizer) != nullptr;
    if (is_adam || is_rmsprop)
        more.set("capturable", false);
    if (!is_rmsprop)
        more.set("fused", Tree());
    if (is_adam)
        more.set("decoupled_weight_decay", is_adamw);
    return more;
}

}  // namespace

TorchOptimizer::TorchOptimizer(std::unique_ptr<torch::optim::Optimizer> inner) : inner_(std::move(inner)) {}
TorchOptimizer::~TorchOptimizer() = default;

bool TorchOptimizer::is_element_wise() const {
    return with_types(*inner_, []<class Options, class State>() {});
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
    with_types(*inner_, [&]<class Options, class State>() {
        fields(static_cast<Options&>(inner_->param_groups().at(group).options()),
               [&](const std::string& name, auto& value) {
                   if constexpr (std::is_same_v<decltype(value), double&>) {
                       if (name == "momentum")
                           momentum = value;
                   } else if constexpr (std::is_same_v<decltype(value), std::tuple<double, double>&>) {
                       momentum = std::get<0>(value);
                   }
               });
    });
    return momentum;
}

void TorchOptimizer::set_momentum(std::size_t group, double momentum) {
    with_types(*inner_, [&]<class Options, class State>() {
        fields(static_cast<Options&>(inner_->param_groups().at(group).options()),
               [&](const std::string& name, auto& value) {
                   if constexpr (std::is_same_v<decltype(value), double&>) {
                       if (name == "momentum")
                           value = momentum;
                   } else if constexpr (std::is_same_v<decltype(value), std::tuple<double, double>&>) {
                       std::get<0>(value) = momentum;
                   }
               });
    });
}

std::vector<at::Tensor> TorchOptimizer::parameters() const {
    std::vector<at::Tensor> all;
    for (const to::OptimizerParamGroup& group : inner_->param_groups())
        all.insert(all.end(), group.params().begin(), group.params().end());
    return all;
}

void TorchOptimizer::replace_parameters(const std::vector<at::Tensor>& parameters) {
    std::size_t next = 0;
    for (to::OptimizerParamGroup& group : inner_->param_groups())
        for (at::Tensor& parameter : group.params())
            parameter = parameters.at(next++);
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
    with_types(*inner_, [&]<class Options, class State>() {
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

Tree TorchOptimizer::state_dict() const {
    if (auto* lbfgs = dynamic_cast<to::LBFGS*>(inner_.get()))
        return lbfgs_state_dict(*lbfgs);
    Tree state = Tree::dict();
    Tree groups = Tree::list();
    const Tree more = python_options(*inner_);
    const bool known = with_types(*inner_, [&]<class Options, class State>() {
        std::int64_t number = 0;
        for (to::OptimizerParamGroup& group : inner_->param_groups()) {
            Tree entry = Tree::dict();
            fields(static_cast<Options&>(group.options()),
                   [&](const char* name, auto& value) { entry.set(name, to_tree(value)); });
            for (const Tree::Entry& option : more.entries())
                entry.set(option.key, option.value);
            Tree numbers = Tree::list();
            for (const at::Tensor& parameter : group.params()) {
                const auto place = inner_->state().find(parameter.unsafeGetTensorImpl());
                if (place != inner_->state().end()) {
                    Tree values = Tree::dict();
                    fields(static_cast<State&>(*place->second), [&](const char* name, auto& value) {
                        if (Tree tree = to_tree(value); !tree.is_none())
                            values.set(name, std::move(tree));
                    });
                    if (!values.entries().empty())
                        state.set(number, std::move(values));
                }
                numbers.append(number++);
            }
            entry.set("params", std::move(numbers));
            groups.append(std::move(entry));
        }
    });
    if (!known)
        unknown_class();
    return Tree::dict({{"state", std::move(state)}, {"param_groups", std::move(groups)}});
}

void TorchOptimizer::load_state_dict(const Tree& saved) {
    if (auto* lbfgs = dynamic_cast<to::LBFGS*>(inner_.get()))
        return load_lbfgs_state_dict(*lbfgs, saved);
    c10::NoGradGuard no_grad;
    const bool known = with_types(*inner_, [&]<class Options, class State>() {
        std::vector<to::OptimizerParamGroup>& groups = inner_->param_groups();
        const Tree::List& saved_groups = saved.at("param_groups").items();
        const Tree& saved_state = saved.at("state");
        if (saved_groups.size() != groups.size())
            throw UserError("the optimizer's state has {} parameter groups, the optimizer {}", saved_groups.size(),
                            groups.size());
        std::vector<std::unique_ptr<to::OptimizerOptions>> options;
        std::vector<std::pair<void*, std::unique_ptr<State>>> states;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const Message where("parameter group {} of the optimizer's state", g);
            const Tree::List& numbers = saved_groups[g].at("params").items();
            if (numbers.size() != groups[g].params().size())
                throw UserError("{} has {} parameters, the optimizer's {}", where, numbers.size(),
                                groups[g].params().size());
            const Tree* maximize = saved_groups[g].find("maximize");
            if (maximize != nullptr && maximize->is_bool() && maximize->as_bool())
                throw UserError(
                    "{} maximizes, which torch's C++ optimizers cannot: change the sign "
                    "of the loss",
                    where);
            options.push_back(static_cast<const to::OptimizerOptions&>(groups[g].options()).clone());
            fields(static_cast<Options&>(*options.back()),
                   [&](const char* name, auto& value) { from_tree(saved_groups[g].at(name), value); });
            for (std::size_t p = 0; p < numbers.size(); ++p) {
                const Tree* values = saved_state.find(numbers[p].as_integer());
                if (values == nullptr)
                    continue;
                const at::Tensor& parameter = groups[g].params()[p];
                auto state = std::make_unique<State>();
                bool any = false;
                fields(*state, [&](const char* name, auto& value) {
                    const Tree* given = values->find(name);
                    if (given == nullptr || given->is_none())
                        return;
                    any = true;
                    from_tree(*given, value);
                    if constexpr (std::is_same_v<decltype(value), at::Tensor&>) {
                        if (value.sizes() != parameter.sizes())
                            throw UserError(
                                "{}: '{}' of parameter {} has another shape than the "
                                "parameter",
                                where, name, numbers[p].as_integer());
                        // A copy: the dictionary may be somebody's snapshot.
                        value = value.to(parameter.options().requires_grad(false), false, true);
                    }
                });
                if (any)
                    states.emplace_back(parameter.unsafeGetTensorImpl(), std::move(state));
            }
        }
        for (std::size_t g = 0; g < groups.size(); ++g)
            groups[g].set_options(std::move(options[g]));
        inner_->state().clear();
        for (auto& [parameter, state] : states)
            inner_->state()[parameter] = std::move(state);
    });
    if (!known)
        unknown_class();
}

}  // namespace trainyard::optim
