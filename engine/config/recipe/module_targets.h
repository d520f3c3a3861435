// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which modules and parameters get an adapter (lora.target_modules and lora.target_parameters, with PEFT's names).

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/regex.h"

namespace trainyard::families {
struct TensorShape;
}

namespace trainyard::config {

struct ModelRecipe;

/// One entry: the end of modules' names (c_attn, attn.c_proj), all-linear (all but the head and experts), or a regular
/// expression, which has a character that no name has and matches whole names.
class ModuleTarget {
  public:
    /// Throws UserError for an expression that cannot be used.
    explicit ModuleTarget(const std::string& entry);
    bool has(std::string_view module) const;
    const std::string& entry() const { return entry_; }
    bool is_expression() const { return !expressions_.empty(); }
    bool is_all_linear() const;

  private:
    std::string entry_;
    std::vector<Regex> expressions_;  ///< one or none
};

/// Fields of PEFT's adapter_config.json that single modules differ by.
struct ModuleExceptions {
    std::vector<std::string> exclude_modules;  ///< entries as of target_modules
    std::vector<std::int64_t> layers;          ///< layers_to_transform; empty: all
    std::vector<std::string> layers_pattern;   ///< names of the lists that `layers` count in; empty: any list
    std::vector<std::pair<std::string, std::int64_t>> rank_pattern;  ///< expressions and ranks; the first match counts
    std::vector<std::pair<std::string, double>> alpha_pattern;
    bool empty() const {
        return exclude_modules.empty() && layers.empty() && rank_pattern.empty() && alpha_pattern.empty();
    }
};

class ModuleTargets {
  public:
    /// Throws UserError for an expression that cannot be used.
    explicit ModuleTargets(const std::vector<std::string>& entries, const ModuleExceptions& exceptions = {});
    bool have(std::string_view module) const;
    /// The value of the module's entry in rank_pattern or alpha_pattern, or else `usual`.
    std::int64_t rank_of(std::string_view module, std::int64_t usual) const;
    double alpha_of(std::string_view module, double usual) const;

  private:
    bool is_in_layers(std::string_view module) const;

    std::vector<ModuleTarget> targets_, excluded_;
    std::vector<std::int64_t> layers_;
    std::vector<Regex> lists_of_layers_;
    std::vector<std::pair<Regex, std::int64_t>> ranks_;
    std::vector<std::pair<Regex, double>> alphas_;
};

/// Whether an entry of lora.target_parameters is this parameter's name or the end of it.
bool names_parameter(const std::string& entry, std::string_view parameter);

/// The matrices of the model that lora.target_modules gives an adapter.
std::vector<families::TensorShape> adapted_matrices(const ModelRecipe& model);
/// What these adapters consist of: <module>.lora_A.weight [r, in] and <module>.lora_B.weight [out, r].
std::vector<families::TensorShape> adapter_tensors(const ModelRecipe& model);

/// Returns the entry that is equivalent to a string in PEFT, which treats every string outside of a list as a regular
/// expression.
std::string entry_of_expression(const std::string& expression);

}  // namespace trainyard::config
