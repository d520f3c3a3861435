// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings and state of optimizers as dictionaries of torch: options of a program, optimizer.bin of Accelerate and of
// the trainer.
//   {"state": {0: {"step": ..., "exp_avg": ...}, ...},
//    "param_groups": [{"lr": ..., "betas": (...), "params": [0, 1]}, ...]}
// Names and shapes of the state are columns of config/recipe/optimizer_kinds.h.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "config/recipe/optimizer_kinds.h"
#include "distributed/tensors/tree.h"
#include "optim/optimizer.h"
#include "optim/update_rule.h"

namespace trainyard::optim {

/// What is wrong with the option as the end of a sentence; empty: it is set.
Message set_option(config::OptimizerSettings& settings, const std::string& name, const Tree& value);
/// All settings of a saved group. Throws UserError, which `where` begins.
void read_settings(config::OptimizerSettings& settings, const Tree& group, const Message& where);

/// Elements [begin, begin + size) of a parameter.
struct Slice {
    std::int64_t begin = 0, size = 0;
};

/// The state of a parameter. A parameter that was not updated yet has none.
struct ParameterState {
    std::vector<std::int64_t> shape;          ///< of the parameter
    std::optional<Slice> slice = {};          ///< elements that this rank owns: `tensors` are flat; empty: all
    std::string name = {};                    ///< written to "param_names"; empty: it is not
    std::optional<std::int64_t> number = {};  ///< under "state"; written without one: its place in the groups
    bool updated = false;
    Scalars scalars = {};                  ///< those of its group, too
    std::vector<at::Tensor> tensors = {};  ///< in the order of config::states_of()
};

/// Without state yet. `slices` are those of all parameters, of which it is the one at `number`; empty: they are whole.
ParameterState blank_state(const at::Tensor& parameter, const std::vector<OwnedSlice>& slices, std::size_t number);

/// A parameter group.
struct StateGroup {
    config::OptimizerSettings settings;
    std::vector<ParameterState> parameters = {};
    bool is_average = false;  ///< schedule-free: the parameters are the averaged weights
    Tree more = {};           ///< other entries of the group: initial_lr
};

Tree write_state_dict(const std::vector<StateGroup>& groups);

/// Reads settings and state of groups with the same parameters. Tensors are views of those in `saved`. Throws UserError
/// naming what does not fit.
void read_state_dict(const Tree& saved, std::vector<StateGroup>& groups);
/// Reads the state alone, of the parameters that have a number.
void read_parameter_states(const Tree& saved, std::vector<StateGroup>& groups);
/// The numbers of a parameter's state and group.
Scalars read_scalars(const Tree& saved, std::int64_t number, const config::OptimizerSettings& settings);
/// Tensors in memory of their own for an update of `parameter`, which has the elements of the state.
std::vector<at::Tensor> copy_states(const ParameterState& state, const config::OptimizerSettings& settings,
                                    const at::Tensor& parameter);

/// The tensors of a dictionary whose parameters have names, as exp_avg.<name>.
NamedTensors named_states(const Tree& saved);

}  // namespace trainyard::optim
