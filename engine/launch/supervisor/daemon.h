// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From a prepared run to a supervisor that nobody owns: its own session, no terminal, no inherited descriptors.

#include "launch/supervisor/prepare.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

/// Starts the supervisor detached and returns when all ranks' images run, or machines are awaited. Throws UserError when they could not be started; the
/// run's folder is gone then.
/// With a pool its descriptors stay open; its machines must not have ranks yet. Without one: this machine alone.
void start_detached(PreparedRun run, const SupervisorOptions& options = {},
                    std::unique_ptr<MachinePool> pool = nullptr);

/// The same in this process: returns the exit code of the run when it is over. Signals are the run's meanwhile (Ctrl-C stops it).
int run_in_foreground(PreparedRun run, SupervisorOptions options = {}, std::unique_ptr<MachinePool> pool = nullptr);

}  // namespace trainyard::launch
