// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lists the checkpoints of a run, of a folder of training outputs, or a single one. Cheap: reads manifests and sizes of
// files, and headers only if the manifest is missing.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/retention.h"
#include "observe/inspect/contents.h"

namespace trainyard::inspect {

struct CheckpointEntry {
    fs::path folder;
    std::string name;        ///< "checkpoint_18000"
    std::int64_t step = -1;  ///< -1: its name has none
    std::optional<double> metric;
    Message layout;        ///< "one file", "sharded, 16", "distributed, 2"
    std::string saved_at;  ///< ISO 8601; the time of the folder where nobody wrote it down
    int world_size = 0;    ///< 0: unknown
    std::uint64_t bytes = 0;
    CheckpointState state = CheckpointState::whole;
    std::string host;  ///< of a remote one: the machine that has its files
    Message problem;   ///< the first sentence, when it is broken, or how a remote one is copied to this machine
    Message not_good;  ///< its numbers, or the steps before it, are not finite
    bool pinned = false;
    bool trainyard = false;  ///< has a manifest
};

struct CheckpointList {
    fs::path folder;                     ///< where they lie
    fs::path run;                        ///< the run's folder, if it is one's
    std::vector<CheckpointEntry> items;  ///< newest (highest step) first
    /// The retention policy of the run's recipe; empty without a recipe, or if the recipe keeps all checkpoints.
    std::optional<checkpoint::Retention> policy;
    std::uint64_t bytes() const;
    /// The entry that DeepSpeed's file `latest` names, which is the step that counts; empty: there is no such file.
    std::string latest;
    std::vector<Message> notes;  ///< sentences about `latest`
    /// Index of the newest whole and good one (the one of `latest` where it is), and of the one with the lowest metric
    /// (the highest, where the policy says so); -1: none.
    int newest() const;
    int best() const;
};

/// Folders with a step in their names, highest first, from names alone: folder, name, step and pin are known. Empty
/// if the folder is missing.
std::vector<CheckpointEntry> numbered_folders(const fs::path& folder);

/// `path`: a run's folder, a folder of checkpoints, or one checkpoint (folder or file). Throws UserError when there is
/// none in it.
CheckpointList read_checkpoint_list(const fs::path& path);

/// Pins (or not): makes or removes the file `keep` that every retention respects. Throws UserError.
void set_pinned(const fs::path& checkpoint, bool pinned);

/// The step in a folder's name: checkpoint_12, checkpoint-500, global_step100, step_7, epoch_3; -1: none.
std::int64_t step_in_name(const std::string& name);

/// A checkpoint in a text of the user: a path, or a run (id, name, folder) with `@step`, without it its newest whole
/// one. Throws UserError.
fs::path find_checkpoint(const fs::path& runs_root, const std::string& text);

}  // namespace trainyard::inspect
