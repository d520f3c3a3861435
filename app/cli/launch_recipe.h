#pragma once
// `trainyard launch RECIPE.yaml`: settings of Accelerate's kind become the engine's launch.

#include <string>
#include <vector>

#include "plan/flags.h"
#include "plan/probe.h"

namespace trainyard::cli {

/// What a launch comes down to on this machine.
struct LaunchSettings {
    plan::Resolved resolved;
    settings::Machine machine;
    plan::EnvironmentMap environment;  ///< of this process
};
/// Reads the settings file and looks at the machine. Throws UserError with all problems.
LaunchSettings resolve_launch(const plan::Flags& flags);
plan::EnvironmentMap this_process_environment();

/// `command`: argv, for run.yaml. Returns the exit code; throws UserError.
/// Of a recipe on SLURM's nodes: checked here as far as it can be.
int launch_recipe_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command);
int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command);

}  // namespace trainyard::cli
