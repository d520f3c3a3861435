#include "config/module_targets.h"

#include <algorithm>

namespace trainyard::config {

namespace {

constexpr std::string_view kAllLinear = "all-linear";
constexpr std::string_view kCharactersOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

/// Experts and their routers are no modules of their own in transformers, where PEFT's all-linear could find them.
bool is_of_experts(std::string_view module) {
    return module.find(".block_sparse_moe.") != std::string_view::npos;
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

bool ModuleTarget::has(std::string_view module) const {
    if (is_expression())
        return expressions_.front().matches_whole(module);
    if (entry_ == kAllLinear)
        return !is_of_experts(module);
    return is_end_of(entry_, module);
}

ModuleTargets::ModuleTargets(const std::vector<std::string>& entries) {
    for (const std::string& entry : entries)
        targets_.emplace_back(entry);
}

bool ModuleTargets::have(std::string_view module) const {
    return std::ranges::any_of(targets_, [&](const ModuleTarget& target) { return target.has(module); });
}

bool names_parameter(const std::string& entry, std::string_view parameter) {
    return is_end_of(entry, parameter);
}

std::string entry_of_expression(const std::string& expression) {
    return expression == kAllLinear ? expression : "(?:" + expression + ")";
}

}  // namespace trainyard::config
