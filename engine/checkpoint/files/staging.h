// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Used by saver.h: the temporary folder in which a checkpoint is assembled, and its move to the final path.
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
    /// Creates the folder (rank 0). Throws UserError.
    static Staging create(const fs::path& target);
    /// The folder that rank 0 has made.
    static Staging join(const fs::path& target, std::uint64_t attempt, int rank);

    Staging(Staging&&) = default;
    Staging& operator=(Staging&&) = default;

    std::uint64_t attempt() const { return attempt_; }
    std::string attempt_text() const;
    const fs::path& folder() const { return folder_; }

    /// Reports that this rank's files are written, and why training must not resume from them automatically
    /// (Manifest::not_good). With `error`, reports that they could not be written.
    void finish_part(const std::map<std::string, FileRecord>& files, const Message& error = {},
                     const Message& not_good = {});
    /// Rank 0: reads the files of another rank; returns false if it has not written them yet. Throws UserError if that
    /// rank has failed or is dead.
    bool read_part(int rank, std::map<std::string, FileRecord>& files, Message& not_good) const;
    /// Rank 0: writes the manifest and moves the folder to its final path, atomically. Files of a previous folder that
    /// do not belong to a checkpoint are kept.
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

/// Removes leftovers of interrupted saves and removals from a folder, and restores a checkpoint whose replacement was
/// interrupted. Returns what was removed.
std::vector<fs::path> sweep_leftovers(const fs::path& parent);

/// Number of a folder's name ("checkpoint_12" is 12), -1 when it has none.
std::int64_t checkpoint_number(const fs::path& folder);
/// Returns the names of the folders that live ranks are currently writing in `parent`.
std::vector<std::string> saves_under_way(const fs::path& parent);

/// Renames the checkpoint to a temporary name, then removes it, so that an interrupted removal leaves only a leftover.
/// Returns false on failure.
bool remove_checkpoint(const fs::path& folder);

/// Returns the names of a checkpoint's files: those of Accelerate, ours, and those of the manifest, if it exists.
bool is_checkpoint_file(const std::string& name);

}  // namespace trainyard::checkpoint
