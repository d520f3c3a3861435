// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Deleted runs: a run's folder moves to `.trash/<time of deletion>--<id>` next to it, and undoing moves it back.
// Purging deletes runs for good that have been in the trash for kTrashDays.

#include <string>
#include <vector>

#include "run/paths.h"

namespace trainyard::run {

inline constexpr double kTrashDays = 30;

struct TrashedRun {
    fs::path folder;     ///< where it lies now
    std::string id;      ///< what it was called
    double deleted = 0;  ///< wall seconds
};

/// What people called it: the name written on it, else its own, else its id.
std::string shown_name(const TrashedRun& run);
/// Bytes of all files in it, links not followed. Looks at every file: not for the thread of a window.
std::uint64_t size_of(const TrashedRun& run);

/// Moves a folder of any kind out of sight, into `.trash` beside it; returns where it lies. Throws UserError. What is
/// said below of deleted runs holds for it, too.
fs::path move_folder_to_trash(const fs::path& folder);
/// Moves a run that is over out of sight; returns where it lies. Throws UserError naming the run when it is live (or
/// may be: its
/// host is silent), queued, or cannot be moved.
fs::path move_to_trash(const RunPaths& run);
/// Moves the run back to its folder. Throws UserError if the folder exists again.
RunPaths restore_from_trash(const fs::path& trashed);

/// Returns the deleted runs of a runs root, newest first.
std::vector<TrashedRun> list_trash(const fs::path& root);
/// Deletes one for good. Throws UserError when it is not in a trash, or cannot be deleted.
void delete_for_good(const fs::path& trashed);
/// Deletes for good what was deleted longer than `age_s` seconds ago; returns how many. Throws UserError for what
/// cannot be deleted.
int purge_trash(const fs::path& root, double age_s = kTrashDays * 86400);

}  // namespace trainyard::run
