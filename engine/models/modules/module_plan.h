#pragma once
// Which kernel computes a module and how its parameters lie on the ranks: a table from patterns of names, kept beside each model. Models build their
// layers through it (modules.h) and never ask which kernel or placement was chosen.

#include <string>
#include <vector>

namespace trainyard::models {

/// How the parameters of a module lie on the ranks of a tensor-parallel group.
enum class Placement { replicated };

struct ModuleChoice {
    std::string pattern;  ///< fnmatch of the module's name, * matches dots, too: "*.attn.c_attn"
    std::string kernel;   ///< a name of the tables in modules.h
    Placement placement = Placement::replicated;
};

/// The first row that fits counts.
class ModulePlan {
  public:
    explicit ModulePlan(std::vector<ModuleChoice> rows) : rows_(std::move(rows)) {}
    /// Throws std::invalid_argument for a module that no row names.
    const ModuleChoice& of(const std::string& module) const;

  private:
    std::vector<ModuleChoice> rows_;
};

}  // namespace trainyard::models
