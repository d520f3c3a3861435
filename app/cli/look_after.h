// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Handles lost runs, whose supervisor was killed: ends the processes that their ranks had started and removes
// half-written checkpoints.

#include <vector>

#include "run/listing.h"

namespace trainyard::cli {

/// Cleans up the lost runs of this machine; other runs are not changed. Reports on standard error what was done. Never
/// throws.
void look_after_lost_runs(const std::vector<run::ListedRun>& runs);
/// Cleans up one run if it is lost.
void look_after_lost_run(const run::RunPaths& paths, const run::RunState& state);

}  // namespace trainyard::cli
