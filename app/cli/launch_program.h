#pragma once
// `trainyard launch SCRIPT.py`: a program of the user's, started as Accelerate would. Run folder and dashboard are for recipes.

#include "plan/flags.h"

namespace trainyard::cli {

/// Returns the exit code: the program's, or that of the rank that failed first. Throws UserError.
int launch_program(const plan::Flags& flags);

}  // namespace trainyard::cli
