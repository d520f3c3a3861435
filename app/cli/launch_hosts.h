#pragma once
// `trainyard launch --hosts a:2,b:2 ...`: the same run, on machines that are reached by SSH (remote/remote_run.h).

#include "plan/flags.h"
#include "run/spec.h"

namespace trainyard::cli {

/// The same command line for one machine with all the ranks: what ranks are told does not depend on where they are.
plan::Flags as_one_machine(const plan::Flags& flags);

/// Checks all hosts, starts, and follows as a local run is followed. Returns the exit code; throws UserError with all problems.
int launch_on_hosts(const plan::Flags& flags, run::RunSpec spec);

}  // namespace trainyard::cli
