#pragma once
// run.yaml in the words of the dashboard's header. Runs in the reading thread.

#include "desktop/dashboard/run_batch.h"
#include "run/paths.h"

namespace trainyard::desktop {

/// Throws UserError when run.yaml cannot be read.
RunFacts read_facts(const run::RunPaths& run);

}  // namespace trainyard::desktop
