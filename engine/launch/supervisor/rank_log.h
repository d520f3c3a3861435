// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// logs/rank-NNNNN.log: standard output and error of a rank, bytes as they came. Bounded: when the file would grow beyond the
// limit it becomes rank-NNNNN.log.1 (taking the place of an older one) and a new file begins, so a rank's logs never hold
// more than twice the limit. The default limit is 16 MB; TRAINYARD_LOG_LIMIT sets another number of bytes.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "base/filesystem.h"

namespace trainyard::launch {

/// $TRAINYARD_LOG_LIMIT, at least 64 kB, else 16 MB.
std::uint64_t log_limit();

class RankLog {
  public:
    /// Opens the file for appending. Throws UserError when it cannot be made.
    explicit RankLog(fs::path file, std::uint64_t limit = log_limit());

    /// Never throws: a full disk must not end the supervision. What could not be written is counted.
    void write(std::string_view bytes);
    std::uint64_t lost_bytes() const { return lost_bytes_; }

    /// The last lines, oldest first; an unfinished line counts.
    std::vector<std::string> last_lines(std::size_t count) const;

  private:
    void rotate();
    void remember(std::string_view bytes);

    fs::path path_;
    std::uint64_t limit_;
    FileDescriptor file_;
    std::uint64_t size_ = 0;
    std::uint64_t lost_bytes_ = 0;
    std::deque<std::string> lines_;
    std::string unfinished_;
};

}  // namespace trainyard::launch
