#pragma once
// From a prepared run to a supervisor that nobody owns: its own session, no terminal, no inherited descriptors.

#include "launch/prepare.h"
#include "launch/supervisor.h"

namespace trainyard::launch {

/// Starts the supervisor detached and returns when all ranks' images run. Throws UserError when they could not be started; the
/// run's folder is gone then.
void start_detached(PreparedRun run, const SupervisorOptions& options = {});

}  // namespace trainyard::launch
