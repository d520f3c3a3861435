#pragma once
// `trainyard launch RECIPE.yaml`: settings of Accelerate's kind become the engine's launch.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/recipe_settings.h"
#include "launch/plan/flags.h"
#include "launch/plan/probe.h"
#include "launch/supervisor/join.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rendezvous_settings.h"

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

/// A recipe that can start on this machine, and its place among several that find each other.
struct RecipeLaunch {
    launch::CheckedLaunch checked;
    std::optional<launch::RendezvousSettings> rendezvous;
    std::unique_ptr<launch::JoinPool> pool;  ///< of the head: it listens; none for --dry-run, --check
    std::vector<std::string> notes;          ///< for people, before anything starts
    std::vector<RecipeSetting> settings;     ///< what becomes of each one that was given
};
/// Throws InvalidInput with everything that is wrong. A self-check notes ways of training that are not ours instead of refusing them.
RecipeLaunch check_recipe(const plan::Flags& flags, const std::vector<std::string>& command);
/// For other machines: nothing of this one is looked at.
run::RunSpec read_recipe(const plan::Flags& flags, const std::vector<std::string>& command);
/// `--mpirun_hostfile`: mpirun starts this very command on its hosts, each a launcher of one rank (launch/plan/mpi.h). Returns only where no
/// mpirun is asked for, or it has started us already.
void become_mpirun(const plan::Flags& flags, const std::vector<std::string>& command);

/// `command`: argv, for run.yaml. Returns the exit code; throws UserError.
int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command);
/// Of a recipe on SLURM's nodes: checked here as far as it can be.
int launch_recipe_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command);

}  // namespace trainyard::cli
