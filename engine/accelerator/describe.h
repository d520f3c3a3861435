// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The state of a launch as text, in the form that Accelerate prints AcceleratorState.

#include <string>

#include "distributed/parallel/process_state.h"
#include "train/loop/precision.h"

namespace trainyard::accelerator {

/// plan::state_text() of this process. Throws UserError.
std::string describe_state(const parallel::ProcessState& process, Precision precision);

}  // namespace trainyard::accelerator
