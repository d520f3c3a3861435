// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads processes and their descendants from /proc. Only end_orphans() waits for other processes.

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/message.h"

namespace trainyard::launch {

/// "is stopped (SIGSTOP)", "is traced", "waits in the kernel (nfs_wait_bit_killable)", "is gone"; empty: it runs or sleeps as it should.
Message process_condition(pid_t pid);

/// Returns the parent of a process; 0 if it has none or the process does not exist.
pid_t parent_of(pid_t pid);
std::vector<pid_t> all_processes();
/// Returns the processes and what they have started, 512 at most.
std::vector<pid_t> with_descendants(std::vector<pid_t> processes);

/// CPU time of all processes of a process group, in clock ticks.
std::uint64_t group_cpu_ticks(pid_t group);

/// Since when has a process group used no CPU time? Looks at most every 2 s.
class CpuWatch {
  public:
    double idle_seconds(pid_t group, double monotonic);

  private:
    std::uint64_t ticks_ = 0;
    double looked_ = -1;
    double since_ = 0;
};

/// Kills and reaps the orphans of ranks, which the kernel made children of this process, and then the orphans of those;
/// processes in `spare` are left alone. Waits at most a second. Returns how many were killed.
int end_orphans(const std::vector<pid_t>& spare = {});

}  // namespace trainyard::launch
