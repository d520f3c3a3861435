// SPDX-License-Identifier: GPL-3.0-or-later
// Optimizers by name.

#include <torch/optim/lbfgs.h>

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/error.h"
#include "base/text.h"
#include "optim/lbfgs_state.h"
#include "optim/rule_optimizer.h"
#include "optim/torch_optimizer.h"

namespace trainyard::optim {

namespace {

void complain(std::vector<Problem>& problems, const std::string& key, Message message) {
    problems.push_back({"", 0, 0, key, std::move(message)});
}

const config::OptimizerKind* kind_by_name(const std::string& name, std::vector<Problem>& problems) {
    const config::OptimizerKind* kind = config::find_optimizer(name);
    if (kind != nullptr)
        return kind;
    std::vector<std::string> known;
    for (const config::OptimizerKind& one : config::optimizer_kinds())
        known.push_back(one.torch_name);
    complain(problems, "name", Message("unknown optimizer '{}'{}", name, text::did_you_mean(name, known)));
    return nullptr;
}

void read_options(config::OptimizerSettings& settings, const Tree& options, const std::string& where,
                  std::vector<Problem>& problems) {
    if (!options.is_dict())
        return complain(problems, where, "options must be a dictionary");
    for (const Tree::Entry& entry : options.entries()) {
        const std::string name = to_string(entry.key);
        if (name == "groups" || name == "name")
            continue;
        if (Message problem = set_option(settings, name, entry.value); !problem.empty())
            complain(problems, where, std::move(problem));
    }
    if (Message problem = settings.contradiction(); !problem.empty())
        complain(problems, where, std::move(problem));
}

std::unique_ptr<Optimizer> make_lbfgs(const config::OptimizerSettings& settings, const NamedTensors& parameters) {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : parameters)
        tensors.push_back(tensor);
    return std::make_unique<TorchOptimizer>(std::make_unique<torch::optim::LBFGS>(tensors, lbfgs_options(settings)));
}

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const NamedTensors& parameters,
                                          const Tree& options) {
    std::vector<Problem> problems;
    const Tree given = options.is_none() ? Tree::dict() : options;
    const config::OptimizerKind* kind = kind_by_name(name, problems);
    if (kind == nullptr)
        throw InvalidInput(std::move(problems));
    config::OptimizerSettings rest(*kind);
    read_options(rest, given, kind->torch_name, problems);
    std::vector<RuleOptimizer::Group> groups;
    std::vector<std::string> patterns;
    if (const Tree* own = given.find("groups"); own != nullptr && own->is_dict())
        for (const Tree::Entry& entry : own->entries()) {
            const std::string pattern = to_string(entry.key);
            const Tree* other = entry.value.find("name");
            const config::OptimizerKind* of_group =
                other != nullptr && other->is_text() ? kind_by_name(other->as_text(), problems) : kind;
            config::OptimizerSettings settings =
                of_group == kind || of_group == nullptr ? rest : config::OptimizerSettings(*of_group);
            if (of_group != kind && of_group != nullptr)
                (void)settings.set("lr", rest.number("lr"));
            read_options(settings, entry.value, "groups." + pattern, problems);
            groups.push_back({std::move(settings), {}});
            patterns.push_back(pattern);
        }
    else if (own != nullptr)
        complain(problems, "groups", "must be a dictionary of patterns of names");
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    if (kind->with_closure) {
        if (!groups.empty())
            throw UserError("LBFGS takes all parameters as one group");
        return make_lbfgs(rest, parameters);
    }
    groups.push_back({std::move(rest), {}});
    for (const auto& [parameter_name, parameter] : parameters) {
        std::size_t group = 0;
        while (group < patterns.size() && ::fnmatch(patterns[group].c_str(), parameter_name.c_str(), 0) != 0)
            ++group;
        groups[group].parameters.push_back(parameter);
    }
    for (std::size_t group = 0; group < patterns.size(); ++group)
        if (groups[group].parameters.empty())
            throw UserError("groups: '{}' is the name of no parameter", patterns[group]);
    std::erase_if(groups, [](const RuleOptimizer::Group& group) { return group.parameters.empty(); });
    auto made = std::make_unique<RuleOptimizer>(std::move(groups));
    if (kind->in_backward)
        made->update_in_backward();
    return made;
}

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const std::vector<at::Tensor>& parameters,
                                          const Tree& options) {
    NamedTensors named;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        named.emplace_back(std::to_string(i), parameters[i]);
    return make_optimizer(name, named, options);
}

}  // namespace trainyard::optim
