// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The logs of all ranks, followed: lines merged by the time they begin with, and what each rank has written of a line that has not
// ended (a progress bar). A log that was rotated (rank_log.h) is read on from the new file. Runs in the reading thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "run/paths.h"
#include "widgets/plot/log_store.h"

namespace trainyard::desktop {

class LogTail {
  public:
    explicit LogTail(const run::RunPaths& run) : folder_(run.logs()) {}

    /// New lines and what has changed of the unfinished ones, or nullptr; at most `limit_bytes` of each file. `more`: there is more, call again at once.
    std::shared_ptr<const widgets::LogBlock> poll(std::uint64_t limit_bytes, bool& more);

  private:
    struct File {
        int rank = -1;
        std::uint64_t inode = 0;
        std::uint64_t position = 0;
        std::string unfinished;
    };
    /// False when the file holds nothing new.
    bool read(const std::filesystem::path& path, File& file, std::uint64_t limit, std::vector<std::string>& lines,
              bool& more);

    std::filesystem::path folder_;
    std::vector<widgets::LiveLine> unfinishedLines() const;

    std::map<std::string, File> files_;
    std::vector<std::string> live_;  ///< what the last block said of unfinished lines
    bool first_ = true;              ///< nothing was listed yet
};

}  // namespace trainyard::desktop
