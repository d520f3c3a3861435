#pragma once
// The ranks of a foreign program on this machine: started together, ended together. What torchrun's agent does, without a run
// folder: output shown as --tee asks, signals handed on, the first failure named, restarts.

#include "plan/plan.h"

namespace trainyard::cli {

/// Runs the plan's ranks until all have ended. Returns 0, or the exit code of the rank that failed first (128 + signal number
/// when a signal killed it; 130 or 143 when the user interrupted). Throws UserError when a rank cannot be started.
int run_ranks(const plan::Plan& made, const plan::EnvironmentMap& environment);

}  // namespace trainyard::cli
