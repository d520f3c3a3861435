// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/module_targets.h"

#include <algorithm>

#include "base/number.h"
#include "config/recipe/recipe.h"
#include "models/spec/family.h"
#include "models/spec/module_parameters.h"

namespace trainyard::config {

namespace {

constexpr std::string_view kAllLinear = "all-linear";
constexpr std::string_view kCharactersOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

/// In transformers, experts and their routers are not separate modules that PEFT's all-linear could find.
bool is_of_experts(std::string_view module) {
    return families::is_of_expert(module) || module.find(".block_sparse_moe.") != std::string_view::npos ||
           module.ends_with(".mlp.gate");
}

/// Matches the end of a name from a dot on, as PEFT's patterns do.
Regex end_expression(const std::string& pattern) {
    return Regex("(?:.*\\.)?(?:" + pattern + ")");
}

template <class Value>
Value first_match(const std::vector<std::pair<Regex, Value>>& patterns, std::string_view module, Value usual) {
    for (const auto& [expression, value] : patterns)
        if (expression.matches_whole(module))
            return value;
    return usual;
}

/// Whole parts of a name.
bool is_end_of(const std::string& end, std::string_view name) {
    return name == end || (name.ends_with(end) && name[name.size() - end.size() - 1] == '.');
}

}  // namespace

ModuleTarget::ModuleTarget(const std::string& entry) : entry_(entry) {
    if (entry.find_first_not_of(kCharactersOfNames) != std::string::npos)
        expressions_.emplace_back(entry);
}

bool ModuleTarget::is_all_linear() const {
    return entry_ == kAllLinear;
}

bool ModuleTarget::has(std::string_view module) const {
    if (is_expression())
        return expressions_.front().matches_whole(module);
    if (is_all_linear())
        return !is_of_experts(module);
    return is_end_of(entry_, module);
}

ModuleTargets::ModuleTargets(const std::vector<std::string>& entries, const ModuleExceptions& exceptions)
    : layers_(exceptions.layers) {
    for (const std::string& entry : entries)
        targets_.emplace_back(entry);
    for (const std::string& entry : exceptions.exclude_modules)
        excluded_.emplace_back(entry);
    for (const std::string& pattern : exceptions.layers_pattern)
        lists_of_layers_.push_back(end_expression(pattern));
    for (const auto& [pattern, rank] : exceptions.rank_pattern)
        ranks_.emplace_back(end_expression(pattern), rank);
    for (const auto& [pattern, alpha] : exceptions.alpha_pattern)
        alphas_.emplace_back(end_expression(pattern), alpha);
}

bool ModuleTargets::have(std::string_view module) const {
    const auto names_it = [&](const ModuleTarget& target) { return target.has(module); };
    return std::ranges::any_of(targets_, names_it) && std::ranges::none_of(excluded_, names_it) && is_in_layers(module);
}

bool ModuleTargets::is_in_layers(std::string_view module) const {
    if (layers_.empty())
        return true;
    // The number of the block is the first one in the name: blocks contain numbered experts.
    for (std::size_t dot = module.find('.'); dot != std::string_view::npos; dot = module.find('.', dot + 1)) {
        const std::size_t end = module.find('.', dot + 1);
        if (end == std::string_view::npos)
            return false;
        const std::string_view list = module.substr(0, dot);
        const auto number = parse_number<std::int64_t>(module.substr(dot + 1, end - dot - 1));
        const bool counts =
            lists_of_layers_.empty()
                ? list.find('.') != std::string_view::npos
                : std::ranges::any_of(lists_of_layers_, [&](const Regex& one) { return one.matches_whole(list); });
        if (counts && number)
            return std::ranges::find(layers_, *number) != layers_.end();
    }
    return false;
}

std::int64_t ModuleTargets::rank_of(std::string_view module, std::int64_t usual) const {
    return first_match(ranks_, module, usual);
}

double ModuleTargets::alpha_of(std::string_view module, double usual) const {
    return first_match(alphas_, module, usual);
}

bool names_parameter(const std::string& entry, std::string_view parameter) {
    return is_end_of(entry, parameter);
}

std::vector<families::TensorShape> adapted_matrices(const ModelRecipe& model) {
    const families::Family& family = families::family_of(model);
    const ModuleTargets targets(model.lora.target_modules);
    const std::vector<std::string> whole = modules_to_save(model);
    std::vector<families::TensorShape> matrices = family.tensors(model);
    std::erase_if(matrices, [&](const families::TensorShape& one) {
        return !families::is_linear(model, one) || is_in_module(one.name, whole) ||
               !targets.have(std::string_view(one.name).substr(0, one.name.rfind('.')));
    });
    return matrices;
}

std::vector<families::TensorShape> adapter_tensors(const ModelRecipe& model) {
    const bool in_first = families::family_of(model).network() == families::Network::gpt2;
    std::vector<families::TensorShape> tensors;
    for (const families::TensorShape& matrix : adapted_matrices(model)) {
        const std::string module = matrix.name.substr(0, matrix.name.rfind('.'));
        families::TensorShape a = matrix, b = matrix;
        a.name = module + ".lora_A.weight";
        a.shape = {model.lora.r, matrix.shape[in_first ? 0 : 1]};
        b.name = module + ".lora_B.weight";
        b.shape = {matrix.shape[in_first ? 1 : 0], model.lora.r};
        tensors.push_back(std::move(a));
        tensors.push_back(std::move(b));
    }
    return tensors;
}

std::string entry_of_expression(const std::string& expression) {
    return expression == kAllLinear ? expression : "(?:" + expression + ")";
}

}  // namespace trainyard::config
