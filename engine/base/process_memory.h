// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory of a process. Of pages that processes share (files, rooms of the ranks of a host) it counts its part (PSS), so
// that the figures of several processes add up.

#include <cstdint>

#include <sys/types.h>

namespace trainyard {

/// The system computes PSS by walking over all pages: 25 ms for each GB of small ones. So it is read at most for 1 % of
/// the time; between two readings the part of the shared pages is that of the last one.
class ProcessMemory {
  public:
    explicit ProcessMemory(pid_t pid) : pid_(pid) {}
    /// Resident bytes now; 0 if the process has exited.
    std::uint64_t bytes() { return measure().own; }
    /// Resident bytes that count for other processes.
    std::uint64_t bytes_of_others() { return measure().others; }

  private:
    struct Bytes {
        std::uint64_t own = 0, others = 0;
    };
    Bytes measure();
    pid_t pid_;
    double next_ = 0;   ///< monotonic seconds of the next reading
    double share_ = 1;  ///< part of the shared pages that counts for this process
};

/// Most bytes that this process held at any time. Of the pages of files (programs, libraries, mapped weights) it counts
/// the share of one of `processes`, such as the ranks of a host: other programs that have mapped them do not change the
/// figure.
std::uint64_t peak_memory_bytes(std::int64_t processes = 1);

}  // namespace trainyard
