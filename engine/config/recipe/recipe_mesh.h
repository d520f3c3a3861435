// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mesh in which a number of ranks trains a recipe, before and during the run, and what ZeRO shards in it.

#include <cstdint>
#include <string>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "distributed/pipeline/mesh_shape.h"

namespace trainyard::config {

/// The sizes of a recipe that on_ranks() accepts for so many ranks.
parallel::MeshShape mesh_of(const Recipe& recipe, std::int64_t ranks);
/// The place of a rank in this mesh: "pp 1, tp 0"; empty for replicas only (parallel::rank_place).
std::string rank_place(const Recipe& recipe, std::int64_t ranks, int rank);
/// "ZeRO-2: optimizer state and gradients are sharded over 4 ranks", or "... over groups of 2 data ranks (dp_shard 2 ×
/// tp 2)" in a mesh with other dimensions; empty for stage 0.
Message zero_words(const Recipe& recipe, std::int64_t ranks);

}  // namespace trainyard::config
