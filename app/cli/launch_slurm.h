// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch --slurm`: the run waits in SLURM's queue and starts itself on the nodes of its job. The run folder
// must be on a file system that the nodes share with this machine.

#include <string>
#include <vector>

#include "launch/plan/flags.h"
#include "launch/supervisor/prepare.h"

namespace trainyard::cli {

/// Writes the job script into the run folder, submits it and follows the run; with --dry-run only prints the script.
/// `checked`: the run as it would start here on one rank. Returns the exit code; throws UserError.
int launch_on_slurm(const plan::Flags& flags, launch::CheckedLaunch checked);

}  // namespace trainyard::cli
