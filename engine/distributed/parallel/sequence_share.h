// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The positions of a sequence shared out among ranks (context and sequence parallelism): each rank computes its own
// positions of every sample, and only attention exchanges anything.
//
//   ring, all_gather   every rank has its queries and sees the keys and values of all ranks. Liu et al., "Ring
// attention with blockwise
//                      transformers", 2023. The balanced order gives all ranks the same number of causal pairs.
//   heads              attention has the whole sequence of a part of the heads. Jacobs et al., "DeepSpeed Ulysses",
// 2023.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/mesh.h"

namespace trainyard::parallel {

/// Consecutive positions of a sequence.
struct PositionRun {
    std::int64_t first = 0, count = 0;
    bool operator==(const PositionRun&) const = default;
};
using PositionRuns = std::vector<PositionRun>;

enum class SequenceExchange { ring, all_gather, heads };

/// A sequence of `length` positions, of which this rank has `positions`, in this order.
struct SequenceShare {
    Communicator* ranks = nullptr;  ///< those that share the sequence
    SequenceExchange exchange = SequenceExchange::ring;
    std::int64_t length = 0;
    PositionRuns positions;
    /// Not null: with all heads exchanged among `ranks`, these have the positions of one rank of this share, which
    /// exchanges keys and values: `positions` are a part of its positions.
    std::shared_ptr<const SequenceShare> keys = nullptr;
};

/// Of a rank among `ranks`: chunks rank and 2 * ranks - 1 - rank of 2 * ranks chunks, which `length` must divide into.
PositionRuns balanced_positions(int rank, int ranks, std::int64_t length);
/// The positions of a rank under an exchange: the balanced order, or consecutive positions where heads are exchanged.
PositionRuns positions_of_rank(SequenceExchange exchange, int rank, int ranks, std::int64_t length);

/// Nothing where the mesh cuts no sequence. With cp and sp, each context-parallel rank is sp ranks that exchange heads. `rotates`: context-parallel ranks pass their keys round instead of
/// gathering them. `mesh` outlives it.
std::optional<SequenceShare> sequence_share(Mesh& mesh, bool rotates, std::int64_t length);

/// Rows [begin, begin + count) of the positions.
PositionRuns part_of_positions(const PositionRuns& positions, std::int64_t begin, std::int64_t count);
/// The runs of dimension `dim`, one after the other.
at::Tensor select_positions(const at::Tensor& whole, std::int64_t dim, const PositionRuns& positions);
/// int64 [positions]
at::Tensor position_numbers(const PositionRuns& positions, at::Device device = at::kCPU);

/// Heads whose attention a rank computes where heads are exchanged.
struct HeadShare {
    std::int64_t first = 0, count = 0;          ///< queries
    std::int64_t first_key = 0, key_count = 0;  ///< keys and values
};
/// Whether they can be shared out: the query heads divide by the ranks, and key heads and ranks divide one way or the
/// other.
bool can_share_heads(std::int64_t heads, std::int64_t key_heads, std::int64_t ranks);
HeadShare heads_of_rank(std::int64_t heads, std::int64_t key_heads, int rank, int ranks);

/// The sum over all ranks that share the sequence, of a value of which each has a part; its gradient is the sum of theirs.
at::Tensor sum_over_sequence(const at::Tensor& part, const SequenceShare& share, const char* name);
/// Slice r of dimension 0 goes to rank r, and what rank r sent becomes slice r. Its gradient goes the same way back.
at::Tensor exchange_slices(const at::Tensor& slices, const SequenceShare& share, const char* name);

}  // namespace trainyard::parallel
