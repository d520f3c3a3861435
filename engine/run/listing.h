// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs under a root folder, newest first.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/run_labels.h"
#include "run/state.h"

namespace trainyard::run {

struct ListedRun {
    RunPaths paths;
    std::optional<RunState> state;  ///< absent: unreadable or not written yet
    Message problem;                ///< why it is unreadable
    Labels labels = {};             ///< the defaults when they cannot be read
};

/// What people call it: the name written on it, else its own; empty when neither can be read.
std::string shown_name(const ListedRun& run);

/// Throws UserError if the path is not a folder, or the folder cannot be read. A missing folder counts as empty.
void check_runs_folder(const fs::path& root);

/// Never throws for a single bad run. A missing root is an empty list.
std::vector<ListedRun> list_runs(const fs::path& root);

/// Step of the newest checkpoint that was saved to its end (its manifest is written last) and is good: its weights and the steps before it
/// were finite. Whether its files are undamaged is found out when they are read.
std::optional<std::int64_t> newest_good_checkpoint(const RunPaths& run);
inline bool has_checkpoint(const RunPaths& run) {
    return newest_good_checkpoint(run).has_value();
}

/// A run by id, by a unique beginning or end of its id, by name (the newest), or by path. Throws UserError naming near
/// ones.
RunPaths find_run(const fs::path& root, const std::string& text);

}  // namespace trainyard::run
