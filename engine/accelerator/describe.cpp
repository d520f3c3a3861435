// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/describe.h"

#include <trainyard/accelerator.h>

#include "accelerator/plugin_variables.h"
#include "launch/plan/state_text.h"

namespace trainyard::accelerator {

std::string describe_state(const parallel::ProcessState& process, Precision precision) {
    return plan::state_text({.ranks = process.world_size(),
                             .rank = process.rank(),
                             .local_rank = process.local_rank(),
                             .device = process.device().str(),
                             .mixed_precision = std::string(choice_name(precision))},
                            &variable);
}

std::string Accelerator::describe() const {
    return describe_state(process(), mixed_precision());
}

}  // namespace trainyard::accelerator
