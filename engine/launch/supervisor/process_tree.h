#pragma once
// What /proc tells of a process and of those that it started. Nothing here waits for another process.

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/message.h"

namespace trainyard::launch {

/// "is stopped (SIGSTOP)", "is traced", "waits in the kernel (nfs_wait_bit_killable)", "is gone"; empty: it runs or sleeps as it should.
Message process_condition(pid_t pid);

/// 0: there is none, or no such process.
pid_t parent_of(pid_t pid);
std::vector<pid_t> all_processes();

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

/// Children of this process that are no rank any more: what ranks left behind came to us. Killed and reaped, with what they leave in
/// turn; those of `spare` stay. Waits at most a second. Returns how many were killed.
int end_orphans(const std::vector<pid_t>& spare = {});

}  // namespace trainyard::launch
