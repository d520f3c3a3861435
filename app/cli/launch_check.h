// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch --check`: everything that can be looked at before a run, on this machine or on all hosts, as a table of checks and
// hosts; nothing is started. The checks are those of the desktop's launch page (remote/remote_run.h).

#include "launch/plan/flags.h"
#include "run/spec.h"

namespace trainyard::cli {

/// Prints; returns the exit code: 0 ready, 2 something is wrong, 130 cancelled.
int check_launch(const plan::Flags& flags, run::RunSpec spec);

}  // namespace trainyard::cli
