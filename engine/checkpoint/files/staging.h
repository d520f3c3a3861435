#pragma once
// Inside of saver.h: the folder aside in which a checkpoint is put together, and how it takes its place.
//
//   .<name>.<attempt>.tmp   being written. Locked (flock) by rank 0 as long as it lives; ".rank_<r>" in it is locked by rank r, and
//                           "part_<r>.json" says that rank r's files are on the disk, or why not
//   .<name>.<attempt>.old   what it replaces, where the file system cannot exchange two names at once
//   .<name>.<attempt>.gone  being removed
// <attempt> is 16 hexadecimal digits. A folder of that form whose ranks are all dead is a leftover.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/message.h"
#include "checkpoint/files/manifest.h"

namespace trainyard::checkpoint {

class Staging {
  public:
    /// Makes the folder (rank 0). Throws UserError.
    static Staging create(const fs::path& target);
    /// The folder that rank 0 has made.
    static Staging join(const fs::path& target, std::uint64_t attempt, int rank);

    Staging(Staging&&) = default;
    Staging& operator=(Staging&&) = default;

    std::uint64_t attempt() const { return attempt_; }
    std::string attempt_text() const;
    const fs::path& folder() const { return folder_; }

    /// Says that this rank's files are written, and why nobody should go on from them (Manifest::not_good), or, with `error`, that they are
    /// not.
    void finish_part(const std::map<std::string, FileRecord>& files, const Message& error = {},
                     const Message& not_good = {});
    /// Rank 0: the files of another rank, when they are there. Throws UserError when that rank has failed or is dead.
    bool read_part(int rank, std::map<std::string, FileRecord>& files, Message& not_good) const;
    /// Rank 0: writes the manifest and puts the folder in its place, atomically. What was there and is no part of a checkpoint stays.
    void commit(const Manifest& manifest);
    /// Rank 0: removes the folder.
    void abandon() noexcept;

    enum class Outcome { open, committed, abandoned };
    /// Other ranks: how it ended. Abandoned, too, when rank 0 is dead.
    Outcome outcome() const;

  private:
    Staging(fs::path target, fs::path folder, std::uint64_t attempt, int rank);
    bool is_alive(int rank) const;

    fs::path target_, folder_;
    std::uint64_t attempt_;
    int rank_;
    FileDescriptor lock_;
};

/// Removes what interrupted saves and removals left in a folder, and puts back what a save died of replacing. Returns what was removed.
std::vector<fs::path> sweep_leftovers(const fs::path& parent);

/// Number of a folder's name ("checkpoint_12" is 12), -1 when it has none.
std::int64_t checkpoint_number(const fs::path& folder);
/// Names of the folders that are being written in `parent` now: their ranks live.
std::vector<std::string> saves_under_way(const fs::path& parent);

/// Renames the checkpoint out of sight, then removes it: interrupted, it is a leftover. False when that cannot be.
bool remove_checkpoint(const fs::path& folder);

/// Names of a checkpoint's files: those of Accelerate, ours, and those of the manifest, if there is one.
bool is_checkpoint_file(const std::string& name);

}  // namespace trainyard::checkpoint
