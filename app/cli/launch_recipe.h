// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch RECIPE.yaml`: settings of Accelerate's kind become the engine's launch.

#include <string>
#include <vector>

#include "launch/plan/flags.h"
#include "launch/plan/recipe_settings.h"
#include "run/spec.h"

namespace trainyard::cli {

/// `--mpirun_hostfile`: mpirun starts this very command on its hosts, each a launcher of one rank (launch/plan/mpi.h). Returns only where no
/// mpirun is asked for, or it has started us already.
void become_mpirun(const plan::Flags& flags, const std::vector<std::string>& command);

/// Prints what becomes of each setting, the effective batch and run.yaml: what --dry-run shows below the ranks.
void print_spec(const run::RunSpec& spec, const std::vector<plan::RecipeSetting>& settings);

/// `command`: argv, for run.yaml. Returns the exit code; throws UserError.
int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command);
/// Of a recipe on SLURM's nodes: checked here as far as it can be.
int launch_recipe_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command);

}  // namespace trainyard::cli
