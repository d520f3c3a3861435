// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From a plan of a program's ranks (launch/plan/plan.h) to the specification of its run.

#include <string>
#include <vector>

#include "launch/plan/plan.h"
#include "launch/supervisor/recipe_launch.h"
#include "run/spec.h"

namespace trainyard::launch {

/// `command`: argv, for run.yaml.
run::RunSpec program_spec(const plan::Plan& made, const plan::Flags& flags, const LaunchSettings& settings,
                          const std::vector<std::string>& command);
/// Adds what the start adds to the plan, by the code that starts: variables of the launch, the limit of spinning, and
/// what machines add.
void complete_environment(plan::Plan& made, const run::RunSpec& spec);

}  // namespace trainyard::launch
