// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A copy of the logs in a folder (or of one log) on a host that is kept like it while it grows: TensorBoard files,
// JSONL and CSV. Only what is new is fetched. A file that was replaced or cut there is fetched again. One that is gone
// there stays here while the limits allow it. Nothing is written on the host; links are not followed.
//
// That a file only grew is believed when the last bytes that are here are still the same there.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "remote/session.h"

namespace trainyard::remote {

/// Limits::bytes and Limits::files count what is here, also what the host does not list any more.
struct LogMirrorLimits {
    std::size_t logs = 5'000;  ///< copied: the newest ones
    Limits all = {.bytes = 4ull << 30};
};

struct LogMirrorPass {
    std::size_t files = 0;
    std::uint64_t copied = 0;  ///< bytes in this pass
    std::uint64_t there = 0;   ///< bytes of all files on the host
    std::uint64_t here = 0;
    std::vector<Message> missing;  ///< what is not copied and why, one sentence each
    bool complete() const { return here >= there; }
};

class LogMirror {
  public:
    /// `remote`: a folder or a file, absolute or below the home folder. `local`: a folder of our own, made when it is
    /// not there.
    LogMirror(std::string remote, std::filesystem::path local, LogMirrorLimits limits = {});

    /// Looks at everything there and copies at most some megabytes of each file, so that all of them come forward side
    /// by side: call it again at once while the answer is not complete(). `go_on` is asked between blocks; false ends
    /// the pass early. Throws ConnectionError (also when there is no such folder), UserError when the disk here is
    /// full.
    LogMirrorPass pass(Sftp& sftp, const std::function<bool()>& go_on);

  private:
    struct Found {
        std::string path;  ///< there
        std::filesystem::path place;
        std::uint64_t size = 0;
        double modified = 0;
    };
    std::uint64_t bring(Sftp& sftp, const Found& file, std::uint64_t have, const std::function<bool()>& go_on);
    struct Copies;
    Copies measure() const;

    std::string remote_;
    std::filesystem::path local_;
    LogMirrorLimits limits_;
    std::map<std::string, double> seen_;  ///< when a file was last changed, as of its last comparison
};

/// Is it a log by its name?
bool is_log_name(const std::string& name);

/// Removes copies below `root` that nobody has opened for so many days; `keep` stays.
void prune_log_copies(const std::filesystem::path& root, const std::filesystem::path& keep, int days);

}  // namespace trainyard::remote
