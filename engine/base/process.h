// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Identity of a process. The system reuses process ids, so a pid is only unique together with the process's start time.

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace trainyard {

/// Identity of a process on one machine. `start_time` is in clock ticks since boot (field 22 of /proc/<pid>/stat).
struct ProcessId {
    pid_t pid = 0;
    std::uint64_t start_time = 0;
    bool operator==(const ProcessId&) const = default;
};

/// Start time of a running process; 0 if there is none. A zombie counts as ended.
std::uint64_t process_start_time(pid_t pid);
ProcessId this_process();
/// True if exactly this process is still running.
bool is_alive(const ProcessId& process);

/// Host name of this machine, without the domain.
std::string host_name();

}  // namespace trainyard
