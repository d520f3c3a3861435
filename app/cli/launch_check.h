// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch --check`: everything that can be looked at before a run, on this machine or on all hosts, as a table of checks and
// hosts; nothing is started. The checks are those of the desktop's launch page (remote/remote_run.h).

#include <optional>

#include "launch/plan/flags.h"
#include "launch/supervisor/recipe_launch.h"
#include "run/spec.h"

namespace trainyard::cli {

/// Prints; returns the exit code: 0 ready, 2 something is wrong, 130 cancelled.
int check_launch(const plan::Flags& flags, run::RunSpec spec);

/// The hosts of mpirun's file: mpirun starts a process on each, within a time limit and without asking for a password.
/// Returns the exit code; nothing if the settings name no host file.
std::optional<int> check_mpi_hosts(const plan::Flags& flags, const launch::LaunchSettings& settings);

}  // namespace trainyard::cli
