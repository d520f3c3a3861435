// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks as a named grid pp x dp_replicate x dp_shard x cp x sp x tp (tp varies fastest), without LibTorch: sizes,
// coordinates and groups. The ranks of a training connect by it (distributed/parallel/mesh.h); plans, simulation,
// messages and the window name ranks by it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::parallel {

enum class Dimension : std::size_t { pp, dp_replicate, dp_shard, cp, sp, tp };
inline constexpr std::size_t kDimensions = 6;
const char* to_string(Dimension dimension);

/// Sizes of the six dimensions, in the order of Dimension. Their product is the world size.
using MeshShape = std::array<int, kDimensions>;

/// The dimensions whose ranks see different data, other samples (dp) or other positions of the same samples (cp, sp).
inline const std::vector<Dimension> kDataDimensions{Dimension::dp_replicate, Dimension::dp_shard, Dimension::cp,
                                                    Dimension::sp};

int rank_count(const MeshShape& shape);
/// The coordinates of a rank, in the order of Dimension.
MeshShape coordinates_of(const MeshShape& shape, int rank);
int rank_at(const MeshShape& shape, const MeshShape& coordinates);
/// The ranks that differ from this one only in these dimensions, in ascending order.
std::vector<int> ranks_along(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions);
/// Position of a rank among ranks_along() with these dimensions, the rank at another position, and the next one (after
/// the last comes the first).
int place_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions);
int rank_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions, int place);
int next_in_ring(const MeshShape& shape, int rank, const std::vector<Dimension>& dimensions);
/// Of the data ranks of this rank's stage, in blocks of `size`: the ranks that divide experts among themselves (the
/// block of this rank), and those with the same place in their blocks, which have the same experts. `size` divides the
/// number of data ranks.
std::vector<int> ranks_of_experts(const MeshShape& shape, int rank, int size);
std::vector<int> copies_of_experts(const MeshShape& shape, int rank, int size);
/// The ranks that divide sharded buffers among themselves: dp_shard x cp x sp; of a mesh without dp_shard all data ranks.
std::vector<int> ranks_of_shards(const MeshShape& shape, int rank);
/// Why `shards` ranks do not divide into blocks of `size` that each have a second copy of what they shard; empty: they
/// do.
Message why_no_secondary_shards(std::int64_t size, std::int64_t shards);
/// Those of copies_of_experts() that are among them, too.
std::vector<int> shards_of_experts(const MeshShape& shape, int rank, int size);

/// "pp 2 x tp 4" or "1 rank": the dimensions larger than 1.
std::string describe(const MeshShape& shape);
/// The place of a rank in the dimensions larger than 1: "pp 1, tp 0", with `experts` above 1 "dp_replicate 3, ep 1".
/// Empty for a mesh of replicas only, where the coordinate is the rank.
std::string rank_place(const MeshShape& shape, int rank, int experts = 1);

}  // namespace trainyard::parallel
