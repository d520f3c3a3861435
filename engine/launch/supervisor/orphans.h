// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Processes that ranks started and that outlived both supervisor and guard (guard.h), because these were killed at the
// same time. Every rank, and every process that it starts, has the name of the run's folder and of the process that
// started the rank in its environment (base/environment_names.h).

#include <set>
#include <string>

#include "base/process.h"

namespace trainyard::launch {

/// Returns the value of $TRAINYARD_SUPERVISOR for ranks of this process: its number and start time.
std::string supervisor_mark();
/// Returns the process of such a value; its number is 0 if the value is invalid.
ProcessId parse_supervisor_mark(const std::string& text);

/// Kills the processes of this machine whose environment names one of these runs' folders and a supervisor that is
/// dead. A process is identified by number, start time and environment together, read again once a pidfd holds it;
/// processes of other PID namespaces, this process and its ancestors are left alone. Returns how many were killed.
int end_processes_of_dead_runs(const std::set<std::string>& run_folders);

}  // namespace trainyard::launch
