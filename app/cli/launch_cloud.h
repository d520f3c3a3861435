// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch` with settings of Amazon SageMaker: the job is created, and becomes a run of this machine whose one
// process follows it: its logs, curves, list of runs and stop are those of any run.

#include <string>
#include <vector>

#include "launch/plan/plan.h"
#include "launch/supervisor/recipe_launch.h"

namespace trainyard::cli {

/// Creates the job of the plan, and makes the plan one of a process that follows it. Keys of Amazon stay in this
/// process and its children: they are in no file and no list of processes. Throws UserError.
void start_in_cloud(plan::Plan& made, const launch::LaunchSettings& settings, bool quiet);

/// The command of a run, with secret keys replaced by stars.
std::vector<std::string> without_secrets(std::vector<std::string> command);

}  // namespace trainyard::cli
