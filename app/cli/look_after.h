#pragma once
// Runs that nobody looks after any more: their supervisors were killed. Whoever looks at them next ends what their ranks had started and
// removes what their saves left half-written.

#include <vector>

#include "run/listing.h"

namespace trainyard::cli {

/// Of those that are runs of this machine and lost; others are left as they are. Says on standard error what was done. Never throws.
void look_after_lost_runs(const std::vector<run::ListedRun>& runs);
/// The same for one.
void look_after_lost_run(const run::RunPaths& paths, const run::RunState& state);

}  // namespace trainyard::cli
