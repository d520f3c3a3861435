// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run as one file that opens on another machine: a ZIP archive, not compressed, with everything of the run's folder
// that says what happened. What belongs to this machine stays: requests, the place in a queue, what keeps a mirror
// current, hidden files.

#include <cstdint>
#include <filesystem>

#include "base/progress.h"
#include "run/paths.h"

namespace trainyard::run {

struct ExportOptions {
    bool checkpoints = true;
    bool traces = true;
};

struct ExportedRun {
    std::uint64_t bytes = 0;  ///< of the files
    std::size_t files = 0;
};

/// Replaces `file` when all of it is written. Throws UserError, also for a run that is not over; Cancelled.
ExportedRun export_run(const RunPaths& run, const fs::path& file, const ExportOptions& options,
                       trainyard::Progress& progress);

/// Makes the run under `runs_root`; the folder appears when all of it is there and its checksums are right. Throws
/// UserError: not such an archive, damaged, no room, or a run of that id is there; Cancelled.
RunPaths import_run(const fs::path& file, const fs::path& runs_root, trainyard::Progress& progress);

}  // namespace trainyard::run
