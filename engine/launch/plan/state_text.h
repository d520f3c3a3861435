// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The state of a process of a launch as text, in the form that Accelerate prints AcceleratorState.

#include <functional>
#include <optional>
#include <string>

namespace trainyard::plan {

struct ProcessFacts {
    int ranks = 1, rank = 0, local_rank = 0;
    std::string device = "cpu";  ///< "cpu", "cuda:1"
    std::string mixed_precision = "no";
};

/// The value of an environment variable of the process; nothing: it is not set.
using LaunchVariable = std::function<std::optional<std::string>(const char* name)>;

/// Six lines: kind of launch and backend, ranks, indices, device, precision; for DeepSpeed a seventh with its
/// configuration as a dictionary of Python, with the launch's values in place of `auto`. Throws UserError where
/// Accelerate's plug-in refuses the configuration.
std::string state_text(const ProcessFacts& process, const LaunchVariable& variable);

}  // namespace trainyard::plan
