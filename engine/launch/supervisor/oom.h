// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Did the kernel's out-of-memory killer strike? A killed rank leaves no word, only a counter that grew: oom_kill of
// the control group (version 2: memory.events, version 1: memory.oom_control), else of the whole machine
// (/proc/vmstat).

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/message.h"

namespace trainyard::launch {

/// Whether this is what OomWatch::struck() returns, of this machine or another one.
bool is_out_of_memory(const Message& reason);

class OomWatch {
  public:
    /// Notes the counters. Files that are not there count as never growing.
    explicit OomWatch(const std::filesystem::path& proc = "/proc",
                      const std::filesystem::path& cgroups = "/sys/fs/cgroup");

    /// A process that a batch system or its owner may put into a group of its own, now or later: the counters of the
    /// group that it is in count, too. To be repeated while it runs; nothing can be learned of it when it has ended.
    void follow(pid_t pid);

    /// "by the kernel's out-of-memory killer: it held 1.2 GB, the limit of its control group is 1.0 GB" when a
    /// counter grew since the last call or the beginning, else empty. `peak_bytes`: most that the process had
    /// resident; 0: not known.
    Message struck(std::uint64_t peak_bytes = 0);

  private:
    struct Counter {
        std::filesystem::path file;
        std::filesystem::path limit;  ///< of the group in bytes; empty: the whole machine
        std::uint64_t last = 0;
    };
    void add_groups(const std::string& of_process);
    Message sentence(const Counter& counter, std::uint64_t peak_bytes) const;

    std::filesystem::path proc_, cgroups_;
    std::vector<Counter> counters_;          ///< those that say more come first
    std::map<pid_t, std::string> followed_;  ///< what was read of its groups
};

}  // namespace trainyard::launch
