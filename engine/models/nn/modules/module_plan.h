// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Selects the kernel of each module: a table with patterns of module names, next to each model. Models create their
// layers with it (modules.h) and do not depend on the selection. Plans of tensor parallelism: models/spec/tensor_plan.h.

#include <string>
#include <vector>

namespace trainyard::models {

struct ModuleChoice {
    std::string pattern;  ///< fnmatch pattern for the module's name, where * also matches dots: "*.attn.c_attn"
    std::string kernel;   ///< a name from the tables in modules.h
};

/// The first matching row is used.
class ModulePlan {
  public:
    explicit ModulePlan(std::vector<ModuleChoice> rows) : rows_(std::move(rows)) {}
    /// Throws std::invalid_argument if no row matches the module.
    const ModuleChoice& choice(const std::string& module) const;

  private:
    std::vector<ModuleChoice> rows_;
};

}  // namespace trainyard::models
