// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/lbfgs_state.h"

#include <cmath>
#include <deque>
#include <memory>
#include <string>

#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>
#include <torch/optim/lbfgs.h>

#include "base/error.h"
#include "optim/state_dict.h"

namespace trainyard::optim {

namespace {

using LbfgsOptions = torch::optim::LBFGSOptions;
using LbfgsState = torch::optim::LBFGSParamState;

const at::Tensor& first_parameter(torch::optim::LBFGS& optimizer) {
    return optimizer.param_groups().at(0).params().at(0);
}

std::int64_t elements_of(torch::optim::LBFGS& optimizer) {
    std::int64_t elements = 0;
    for (const at::Tensor& parameter : optimizer.param_groups().at(0).params())
        elements += parameter.numel();
    return elements;
}

template <class Tensors>
Tree tensor_list_of(const Tensors& tensors) {
    Tree list = Tree::list();
    for (const at::Tensor& tensor : tensors)
        list.append(tensor.defined() ? Tree(tensor.detach()) : Tree());
    return list;
}

/// Reads the dictionary of a state; every vector must be as long as the parameters together.
class StateReader {
  public:
    StateReader(const Tree& values, torch::optim::LBFGS& optimizer)
        : values_(values),
          options_(first_parameter(optimizer).options().requires_grad(false)),
          elements_(elements_of(optimizer)) {}

    double number(const char* name) const {
        const Tree& value = values_.at(name);
        return value.is_tensor() ? value.as_tensor().item<double>()
                                 : (value.is_integer() ? static_cast<double>(value.as_integer()) : value.as_real());
    }
    /// H_diag is a number before the first update.
    at::Tensor factor(const Tree& value) const {
        if (value.is_tensor())
            return value.as_tensor().to(options_, false, true);
        return at::full({}, value.is_integer() ? static_cast<double>(value.as_integer()) : value.as_real(), options_);
    }
    at::Tensor vector(const char* name) const { return vector(name, values_.at(name)); }
    std::deque<at::Tensor> vectors(const char* name) const {
        std::deque<at::Tensor> all;
        for (const Tree& one : values_.at(name).items())
            all.push_back(vector(name, one));
        return all;
    }
    std::deque<at::Tensor> factors(const char* name) const {
        std::deque<at::Tensor> all;
        for (const Tree& one : values_.at(name).items())
            all.push_back(factor(one));
        return all;
    }

  private:
    at::Tensor vector(const char* name, const Tree& value) const {
        if (value.is_none())
            return {};
        const at::Tensor& tensor = value.as_tensor();
        if (tensor.dim() != 1 || tensor.numel() != elements_)
            throw UserError("the optimizer's state: '{}' has {} elements, the parameters together {}", name,
                            tensor.numel(), elements_);
        return tensor.to(options_, false, true);  // a copy: the caller may use the dictionary as a snapshot
    }

    const Tree& values_;
    at::TensorOptions options_;
    std::int64_t elements_;
};

}  // namespace

LbfgsOptions lbfgs_options(const config::OptimizerSettings& settings) {
    LbfgsOptions options(settings.number("lr"));
    options.max_iter(static_cast<std::int64_t>(settings.number("max_iter")));
    if (const double most = settings.number("max_eval"); !std::isnan(most))
        options.max_eval(static_cast<std::int64_t>(most));
    options.tolerance_grad(settings.number("tolerance_grad"));
    options.tolerance_change(settings.number("tolerance_change"));
    options.history_size(static_cast<std::int64_t>(settings.number("history_size")));
    if (!settings.word("line_search_fn").empty())
        options.line_search_fn(settings.word("line_search_fn"));
    return options;
}

Tree lbfgs_state_dict(torch::optim::LBFGS& optimizer) {
    torch::optim::OptimizerParamGroup& group = optimizer.param_groups().at(0);
    const auto& options = static_cast<LbfgsOptions&>(group.options());
    Tree numbers = Tree::list();
    for (std::size_t i = 0; i < group.params().size(); ++i)
        numbers.append(static_cast<std::int64_t>(i));
    Tree entry = Tree::dict({{"lr", options.lr()},
                             {"max_iter", options.max_iter()},
                             {"max_eval", options.max_eval() ? Tree(*options.max_eval()) : Tree()},
                             {"tolerance_grad", options.tolerance_grad()},
                             {"tolerance_change", options.tolerance_change()},
                             {"history_size", options.history_size()},
                             {"line_search_fn", options.line_search_fn() ? Tree(*options.line_search_fn()) : Tree()},
                             {"params", std::move(numbers)}});
    Tree state = Tree::dict();
    if (const auto found = optimizer.state().find(first_parameter(optimizer).unsafeGetTensorImpl());
        found != optimizer.state().end()) {
        const auto& values = static_cast<LbfgsState&>(*found->second);
        Tree made = Tree::dict({{"func_evals", values.func_evals()},
                                {"n_iter", values.n_iter()},
                                {"t", values.t()},
                                {"prev_loss", values.prev_loss()},
                                {"old_dirs", tensor_list_of(values.old_dirs())},
                                {"old_stps", tensor_list_of(values.old_stps())},
                                {"ro", tensor_list_of(values.ro())}});
        if (values.d().defined())
            made.set("d", values.d().detach());
        if (values.H_diag().defined())
            made.set("H_diag", values.H_diag().detach());
        if (values.prev_flat_grad().defined())
            made.set("prev_flat_grad", values.prev_flat_grad().detach());
        if (values.al())
            made.set("al", tensor_list_of(*values.al()));
        state.set(std::int64_t{0}, std::move(made));
    }
    Tree groups = Tree::list();
    groups.append(std::move(entry));
    return Tree::dict({{"state", std::move(state)}, {"param_groups", std::move(groups)}});
}

void load_lbfgs_state_dict(torch::optim::LBFGS& optimizer, const Tree& saved) {
    c10::NoGradGuard no_grad;
    torch::optim::OptimizerParamGroup& group = optimizer.param_groups().at(0);
    const Tree::List& groups = saved.at("param_groups").items();
    if (groups.size() != 1 || groups[0].at("params").items().size() != group.params().size())
        throw UserError(
            "the optimizer's state is of another number of parameters or groups: LBFGS has one "
            "group, here of {} parameters",
            group.params().size());
    config::OptimizerSettings settings(*config::find_optimizer("lbfgs"));
    read_settings(settings, groups[0], Message("parameter group {} of the optimizer's state", 0));

    std::unique_ptr<LbfgsState> state;
    if (const Tree* values = saved.at("state").find(std::int64_t{0}); values != nullptr) {
        const StateReader reader(*values, optimizer);
        state = std::make_unique<LbfgsState>();
        state->func_evals(values->at("func_evals").as_integer()).n_iter(values->at("n_iter").as_integer());
        if (values->find("d") != nullptr) {  // an update was made
            state->t(reader.number("t")).prev_loss(reader.number("prev_loss"));
            state->d(reader.vector("d")).prev_flat_grad(reader.vector("prev_flat_grad"));
            state->H_diag(reader.factor(values->at("H_diag")));
            state->old_dirs(reader.vectors("old_dirs")).old_stps(reader.vectors("old_stps")).ro(reader.factors("ro"));
            if (state->old_dirs().size() != state->old_stps().size() || state->old_dirs().size() != state->ro().size())
                throw UserError("the optimizer's state: old_dirs, old_stps and ro have different lengths");
            if (const Tree* al = values->find("al"); al != nullptr && !al->is_none()) {
                std::vector<at::Tensor> all;
                for (const Tree& one : al->items())
                    all.push_back(one.is_none() ? at::Tensor() : reader.factor(one));
                state->al(std::move(all));
            }
        }
    }
    group.set_options(std::make_unique<LbfgsOptions>(lbfgs_options(settings)));
    optimizer.state().clear();
    if (state != nullptr)
        optimizer.state()[first_parameter(optimizer).unsafeGetTensorImpl()] = std::move(state);
}

}  // namespace trainyard::optim
