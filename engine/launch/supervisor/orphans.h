#pragma once
// Processes that ranks had started and that outlived everybody who looks after them: supervisor and guard (guard.h) were killed at once. Every
// rank, and what it starts, has the name of the run's folder and of the process that started the rank in its environment (base/environment_names.h).

#include <set>
#include <string>

#include "base/process.h"

namespace trainyard::launch {

/// The value of $TRAINYARD_SUPERVISOR for ranks of this process: its number and start time.
std::string supervisor_mark();
/// The process of such a value; number 0 where it is none.
ProcessId parse_supervisor_mark(const std::string& text);

/// Kills the processes of this machine whose environment names one of these runs' folders and a supervisor that is dead. A process counts as what it is by
/// number, start time and environment together, read again when the kernel holds it for us; those of other namespaces of processes, this
/// process and those it descends from are left alone. Returns how many were killed.
int end_processes_of_dead_runs(const std::set<std::string>& run_folders);

}  // namespace trainyard::launch
