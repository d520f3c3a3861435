// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch SCRIPT.py`: a program of the user's, started as Accelerate would, and looked after like a recipe:
// a run folder with state, logs, progress and curves.

#include <string>
#include <vector>

#include "launch/plan/flags.h"

namespace trainyard::cli {

/// The Python that scripts are started with: $TRAINYARD_PYTHON, else python3.
std::string interpreter();

/// `command`: argv, for run.yaml. Returns the exit code: the program's, or that of the rank that failed first. Throws
/// UserError.
int launch_program(const plan::Flags& flags, const std::vector<std::string>& command);

/// The same on SLURM's nodes.
int launch_program_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command);

}  // namespace trainyard::cli
