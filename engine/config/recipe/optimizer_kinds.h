// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The optimizers: one table of their names, arguments and states, which recipes, programs, checkpoints and estimates
// read. Names, arguments and defaults are those of torch.optim and of the papers' packages; what an update computes
// is optim/update_rule.h.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/recipe/recipe_fields.h"

namespace trainyard {
class Value;
}

namespace trainyard::config {

/// A number (NaN: None), a truth value, a word (empty: None), or a few numbers: betas, etas.
using OptimizerValue = std::variant<double, bool, std::string, std::vector<double>>;

struct OptimizerArgument {
    std::string name;
    OptimizerValue value;  ///< the default; its kind is the argument's
    Range range{};
    std::vector<std::string> choices{};
    bool saved_when_set = false;  ///< saved groups have it where it is not the default alone
};

/// The argument of torchao's optimizers: weights in bfloat16 are rounded stochastically after each update.
inline constexpr const char* kStochasticRounding = "bf16_stochastic_round";

class OptimizerSettings;

/// An entry of saved parameter groups that is not an argument: what the package that a kind comes from expects there.
struct SavedEntry {
    std::string key;
    OptimizerValue value;
    std::string first{};  ///< the argument that is the first of the value's numbers; empty: none
};

/// A tensor that an optimizer stores for a parameter.
struct OptimizerState {
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t element_bytes = 4;  ///< 1: uint8, 4: float
};

struct OptimizerKind {
    using States = std::vector<OptimizerState>;
    using Shape = std::vector<std::int64_t>;

    std::string name;               ///< in recipes
    std::string torch_name;         ///< the class it is known by
    std::vector<std::string> also;  ///< names that transformers' `optim` has for it
    std::vector<OptimizerArgument> arguments;
    std::vector<std::string> scalars;             ///< state of a parameter that is one number, in torch's order
    std::vector<std::string> group_scalars;       ///< state that is one number of a whole group
    std::map<std::string, double> first_scalars;  ///< where a number does not begin with 0
    std::string counter = "step";                 ///< the number that counts updates, if it is among them
    std::string states_under;                     ///< the key of saved states, as bitsandbytes has it; empty: none
    std::vector<SavedEntry> saved_entries;        ///< of groups, besides the arguments
    States (*states)(const OptimizerSettings&, const Shape&) = nullptr;  ///< of a parameter; nullptr: none
    Message (*contradiction)(const OptimizerSettings&) = nullptr;  ///< contradiction between arguments; empty: none
    bool element_wise = true;        ///< each element is updated independently; false: whole parameters are needed
    bool matrices_only = false;      ///< parameters of other shapes need another optimizer
    bool averages = false;           ///< the model to be used is an average that the optimizer keeps
    bool in_backward = false;        ///< updates while backward runs, so that gradients are never kept
    bool changes_gradients = false;  ///< an update needs a copy of a gradient that others read
    bool own_dtypes = false;         ///< states have dtypes of their own; no: a state of floats has its parameter's
    bool with_closure = false;       ///< an update computes the loss several times
    bool exchanges_signs = false;    ///< after a warm-up ranks send signs of momenta instead of gradients
    bool local_steps = false;        ///< weights of ranks may differ between two exchanges
    Message not_in_recipes;          ///< why recipes cannot use it; empty: they can

    const OptimizerArgument* find(std::string_view argument) const;
};

const std::vector<OptimizerKind>& optimizer_kinds();
/// Returns true if an optimizer stores one number of that name for a parameter ("step").
bool is_scalar_state(std::string_view name);
/// An entry of a saved state that has no elements of its parameter: a scalar, or the values of codes (qmap1).
bool is_beside_states(std::string_view name);
/// Finds an optimizer by any of its names, ignoring case; nullptr if it is unknown.
const OptimizerKind* find_optimizer(std::string_view name);
/// Returns the names of the optimizers that recipes can use.
std::vector<std::string> optimizer_names();

/// An optimizer with values for all of its arguments.
class OptimizerSettings {
  public:
    explicit OptimizerSettings(const OptimizerKind& kind);

    const OptimizerKind& kind() const { return *kind_; }
    double number(std::string_view name) const;
    bool flag(std::string_view name) const;
    const std::string& word(std::string_view name) const;
    const std::vector<double>& numbers(std::string_view name) const;
    bool has(std::string_view name) const { return kind_->find(name) != nullptr; }
    bool rounds_stochastically() const { return has(kStochasticRounding) && flag(kStochasticRounding); }
    const OptimizerValue& value(std::string_view name) const;

    /// Sets an argument. Returns what is wrong with it as the end of a sentence; empty: it is set.
    Message set(std::string_view name, OptimizerValue value);
    Message set_written(std::string_view name, const Value& value);
    /// Returns a message about contradicting arguments (Nesterov's momentum without momentum), or an empty one.
    Message contradiction() const;

    /// Returns "momentum", or the first of "betas": the value that cyclic schedules change. NaN if the optimizer has
    /// neither.
    double momentum() const;
    void set_momentum(double momentum);

  private:
    const OptimizerKind* kind_;
    std::map<std::string, OptimizerValue, std::less<>> values_;
};

/// The states of a parameter of that shape, in the order of the update rule.
std::vector<OptimizerState> states_of(const OptimizerSettings& settings, const std::vector<std::int64_t>& shape);

/// The parameter groups of a recipe: optimizer.groups in their order, then the rest.
struct OptimizerPlan {
    struct Group {
        std::string pattern;  ///< fnmatch of names of parameters; empty: the rest
        OptimizerSettings settings;
        double lr_ratio = 1;      ///< of the group's highest rate to optimizer.lr
        bool own_decay = false;   ///< its weight_decay counts for parameters of every shape
        bool for_others = false;  ///< parameters that the optimizer of the rest cannot update
    };
    std::vector<Group> groups;

    /// The group of a parameter, and its settings with the weight decay that this parameter has.
    std::size_t group_of(const std::string& name, const std::vector<std::int64_t>& shape) const;
    OptimizerSettings settings_of(std::size_t group, const std::vector<std::int64_t>& shape) const;
    bool decay_all = false;

    bool element_wise() const;
    /// Returns true if one of the optimizers updates while backward runs; then all of them do.
    bool in_backward() const;
};
/// Problems name keys of the section `optimizer` ("optimizer.arguments"). If there are any, the plan must not be used.
OptimizerPlan make_optimizer_plan(const OptimizerRecipe& recipe, std::vector<Problem>& problems);
/// The same for a recipe that was checked. Throws InvalidInput.
OptimizerPlan make_optimizer_plan(const OptimizerRecipe& recipe);

/// Gives the optimizer its canonical name. Resets betas, eps and weight_decay to its defaults where they have the
/// defaults of `before`, or where the optimizer does not take them, except for `written` keys.
void follow_optimizer(OptimizerRecipe& recipe, const std::string& before, const std::vector<std::string>& written);

}  // namespace trainyard::config
