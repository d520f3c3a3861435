// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Decides which checkpoints are kept (a pure function of those that exist) and removes the others. The saver does so
// only after the new checkpoint is on the disk.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::config {
struct CheckpointRecipe;
}

namespace trainyard::checkpoint {

/// Kept are the newest, those pinned, and what any of the rules keeps. Without a rule all are kept. Checkpoints that are not good
/// (Manifest::not_good) count in no rule; of them the newest stays, for a look at it, until a good one is newer.
struct Retention {
    enum class Better { lower, higher };
    std::int64_t keep_last = 0;  ///< 0: no such rule
    std::int64_t keep_best = 0;  ///< by metric; NaN and none are never best; of equal ones the earlier
    Better better = Better::lower;
    std::int64_t keep_every = 0;  ///< those whose number is a multiple
    /// At most so many in all, pinned ones not counted (Accelerate's total_limit). When the rules want more: the newest, the best, the
    /// last, then the multiples, newest first. 0: no limit.
    std::int64_t total_limit = 0;

    bool keeps_all() const { return keep_last == 0 && keep_best == 0 && keep_every == 0 && total_limit == 0; }
};

/// What a recipe asks for: checkpoint.keep_last (0 keeps all), keep_best, best_mode, keep_every.
Retention retention_of(const config::CheckpointRecipe& recipe);

struct Candidate {
    std::int64_t number = 0;  ///< the n of checkpoint_<n>; larger is newer
    std::optional<double> metric;
    bool pinned = false;  ///< the folder has a file named "keep"
    bool good = true;     ///< its numbers are finite
};

/// Returns for each candidate whether it is kept.
std::vector<bool> kept(std::span<const Candidate> candidates, const Retention& retention);

/// Removes complete checkpoints that are not kept, and the files of interrupted saves (unless the saving process is
/// still running). Checkpoints with a number above `newest`, the one that was just written, belong to a training that
/// was abandoned for an earlier checkpoint: the rules ignore them, so that they cannot displace newly written ones, and
/// they stay until they are overwritten.
/// Returns the folders removed.
std::vector<std::filesystem::path> prune(const std::filesystem::path& checkpoints, const Retention& retention,
                                         std::int64_t newest = std::numeric_limits<std::int64_t>::max());

}  // namespace trainyard::checkpoint
