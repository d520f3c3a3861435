#pragma once
// Who a process is: pid alone is not enough, numbers are used again; pid and start time are.

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

/// Start time of a live process, 0 when there is none. A zombie counts as dead.
std::uint64_t process_start_time(pid_t pid);
ProcessId this_process();
/// True when exactly that process still runs.
bool is_alive(const ProcessId& process);

/// Host name of this machine, without the domain.
std::string host_name();
/// Resident memory of a process in bytes (0 when it is gone).
std::uint64_t resident_bytes(pid_t pid);

}  // namespace trainyard
