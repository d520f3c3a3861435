// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The state of a launch as text, in the form that Accelerate prints AcceleratorState.

#include <string>

#include "distributed/parallel/process_state.h"
#include "train/loop/precision.h"

namespace trainyard::accelerator {

/// Six lines: kind of launch and backend, ranks, indices, device, precision; for DeepSpeed a seventh with its
/// configuration as a dictionary of Python, with the launch's values in place of `auto`. Throws UserError where
/// Accelerate's plug-in refuses the configuration.
std::string describe_state(const parallel::ProcessState& process, Precision precision);

}  // namespace trainyard::accelerator
