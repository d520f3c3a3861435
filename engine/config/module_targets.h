#pragma once
// Which modules and parameters get an adapter (lora.target_modules and lora.target_parameters, with PEFT's names).

#include <string>
#include <string_view>
#include <vector>

#include "base/regex.h"

namespace trainyard::config {

/// One entry: the end of modules' names (c_attn, attn.c_proj), all-linear (all but the head and experts), or a regular expression, which has a character that no
/// name has and matches whole names.
class ModuleTarget {
  public:
    /// Throws UserError for an expression that cannot be used.
    explicit ModuleTarget(const std::string& entry);
    bool has(std::string_view module) const;
    const std::string& entry() const { return entry_; }
    bool is_expression() const { return !expressions_.empty(); }

  private:
    std::string entry_;
    std::vector<Regex> expressions_;  ///< one or none
};

class ModuleTargets {
  public:
    explicit ModuleTargets(const std::vector<std::string>& entries);
    bool have(std::string_view module) const;

  private:
    std::vector<ModuleTarget> targets_;
};

/// Whether an entry of lora.target_parameters is this parameter's name or the end of it.
bool names_parameter(const std::string& entry, std::string_view parameter);

/// PEFT takes a text that is no list for an expression, whatever its characters are: the entry that means the same.
std::string entry_of_expression(const std::string& expression);

}  // namespace trainyard::config
