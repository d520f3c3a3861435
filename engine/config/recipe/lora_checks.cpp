// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "config/recipe/module_targets.h"
#include "config/recipe/section_checks.h"
#include "models/spec/family.h"
#include "models/spec/module_parameters.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

using families::ModuleParameter;
using families::TensorShape;

std::string module_of(const std::string& weight) {
    return weight.substr(0, weight.rfind('.'));
}

/// The module of a matrix that lora.target_modules names, too; empty: none does.
std::string also_named_by_modules(const ModuleParameter& parameter, const std::vector<ModuleTarget>& targets) {
    for (const std::vector<std::string>& matrix : parameter.matrices)
        for (const std::string& tensor : matrix)
            if (std::ranges::any_of(targets, [&](const ModuleTarget& target) { return target.has(module_of(tensor)); }))
                return module_of(tensor);
    return {};
}

void check_target_modules(const ModelRecipe& model, const std::vector<ModuleTarget>& targets,
                          const std::vector<TensorShape>& tensors, const ReportProblem& complain) {
    const char* key = "lora.target_modules";
    const families::Family& family = families::family_of(model);
    const std::vector<std::string> whole = modules_to_save(model);
    const auto is_unused = [&](const TensorShape& one) {  // a pooler of files
        return model.task == families::kSentenceEmbedding && one.part == families::Part::head;
    };
    bool adapts = !model.lora.target_parameters.empty(), complained = false;
    for (const ModuleTarget& target : targets) {
        bool is_whole = false, is_adapted = false;
        std::string of_vocabulary, named;
        const auto look_at = [&](const std::string& weight, bool is_linear) {
            if (!target.has(module_of(weight)))
                return;
            if (is_in_module(weight, whole))
                is_whole = true;
            else if (is_linear)
                is_adapted = true;
            else if (!target.is_all_linear())
                of_vocabulary = module_of(weight);
        };
        for (const TensorShape& one : tensors)
            if (one.shape.size() == 2 && one.name.ends_with(".weight") && !is_unused(one)) {
                look_at(one.name, families::is_linear(model, one));
                if (families::is_linear(model, one) && one.name.find(".0.") != std::string::npos)
                    named += (named.empty() ? "" : ", ") + module_of(one.name);
            }
        if (!family.head_name().empty())  // a tied one is not a separate tensor
            look_at(family.head_name(), false);
        adapts |= is_adapted;
        complained |= !of_vocabulary.empty() || (!is_adapted && !is_whole);
        if (!of_vocabulary.empty())
            complain(key, {"lora.r"},
                     Message("'{}' names {}, which is a table of embeddings or the output layer of a vocabulary, and "
                             "adapters are beside other layers alone: leave it out, or train it whole "
                             "(lora.modules_to_save)",
                             target.entry(), of_vocabulary));
        else if (!is_adapted && !is_whole)
            complain(key, {"lora.r"},
                     target.is_expression()
                         ? Message("'{}' matches no module's whole name: there are {}", target.entry(), named)
                         : Message("'{}' is the end of no module's name: there are {}", target.entry(), named));
    }
    if (!adapts && !complained && !targets.empty())
        complain(key, {"lora.r", "lora.modules_to_save"},
                 Message("names only modules that are trained whole beside the adapters ({}): name others",
                         fmt::join(whole, ", ")));
}

void check_target_parameters(const ModelRecipe& model, const std::vector<ModuleTarget>& targets,
                             const ReportProblem& complain) {
    if (model.lora.target_parameters.empty())
        return;
    const std::vector<ModuleParameter> known = families::module_parameters(model);
    for (const std::string& entry : model.lora.target_parameters) {
        bool any = false;
        for (const ModuleParameter& parameter : known) {
            if (!names_parameter(entry, parameter.name))
                continue;
            any = true;
            if (const std::string module = also_named_by_modules(parameter, targets); !module.empty()) {
                complain("lora.target_parameters", {"lora.target_modules"},
                         Message("{} gets an adapter by lora.target_modules, too ({}): name it in one of them",
                                 parameter.name, module));
                break;
            }
        }
        if (any)
            continue;
        std::vector<std::string> named;
        for (const ModuleParameter& parameter : known)
            if (parameter.name.find(".0.") != std::string::npos)
                named.push_back(parameter.name);
        complain("lora.target_parameters", {"lora.r"},
                 Message("'{}' is the end of no parameter's name: there are {}", entry, fmt::join(named, ", ")));
    }
}

void check_modules_to_save(const Recipe& recipe, const std::vector<TensorShape>& tensors,
                           const ReportProblem& complain) {
    const ModelRecipe& model = recipe.model;
    for (const std::string& module : model.lora.modules_to_save) {
        const bool is_divided =
            recipe.parallel.ep_size > 1 && std::ranges::any_of(tensors, [&](const TensorShape& one) {
                return families::is_of_expert(one.name) && is_in_module(one.name, {module});
            });
        if (is_divided)
            complain("lora.modules_to_save", {"parallel.ep_size"},
                     Message("'{}' is of experts, which parallel.ep_size divides among the ranks, and the file of an "
                             "adapter has all of them: set parallel.ep_size to 1, or adapt them (lora.target_modules)",
                             module));
        const auto found =
            std::ranges::find_if(tensors, [&](const TensorShape& one) { return is_in_module(one.name, {module}); });
        const std::string& head = families::family_of(model).head_name();
        const bool is_tied = found == tensors.end() ? !head.empty() && is_in_module(head, {module})
                                                    : found->tied_to_head && model.tie_word_embeddings;
        if (found == tensors.end() && !is_tied)
            complain(
                "lora.modules_to_save", {"lora.r"},
                Message("'{}' is the end of no module's name: a parameter is called {}", module, tensors.back().name));
        else if (is_tied)
            complain("lora.modules_to_save", {"model.tie_word_embeddings"},
                     Message("'{}' is the output layer, too, and PEFT would save it for one of them alone: leave "
                             "it out, or set model.tie_word_embeddings to false",
                             module));
    }
}

}  // namespace

void check_lora(const Recipe& recipe, bool knows_parameters, const ReportProblem& complain) {
    const LoraRecipe& lora = recipe.model.lora;
    const LoraRecipe usual;
    auto useless = [&](bool given, const char* key) {
        if (given)
            complain(key, {"lora.r"}, "has no effect without adapters: set lora.r to their rank, e.g. 8");
    };
    if (lora.r == 0) {
        useless(lora.lora_alpha != usual.lora_alpha, "lora.lora_alpha");
        useless(lora.use_rslora, "lora.use_rslora");
        useless(lora.target_modules != usual.target_modules, "lora.target_modules");
        useless(!lora.target_parameters.empty(), "lora.target_parameters");
        useless(!lora.modules_to_save.empty(), "lora.modules_to_save");
        useless(!lora.adapter.empty(), "lora.adapter");
        return;
    }
    if (!recipe.model.freeze.empty())
        complain("model.freeze", {"lora.r"}, "with adapters (lora.r) everything else is frozen anyway: leave it out");
    std::vector<ModuleTarget> targets;
    for (const std::string& entry : lora.target_modules) {
        try {
            targets.emplace_back(entry);
        } catch (const UserError& error) {
            complain("lora.target_modules", {"lora.r"}, error.message());
        }
    }
    if (lora.target_modules.empty() && lora.target_parameters.empty())
        complain("lora.target_modules", {"lora.r"}, "is empty: name modules, or write all-linear");
    if (!knows_parameters)
        return;
    const std::vector<TensorShape> tensors = families::family_of(recipe.model).tensors(recipe.model);
    check_target_modules(recipe.model, targets, tensors, complain);
    check_target_parameters(recipe.model, targets, complain);
    check_modules_to_save(recipe, tensors, complain);
}

}  // namespace trainyard::config
