// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of shardings: which buffers of the flat groups (flat_group.h) the ranks of a shard group divide among
// themselves, how gradients are summed, and when values are gathered. Every rank holds the same range of each bucket in
// all of its sharded buffers. The shard group is Mesh::shards(); ranks with equal shares are Mesh::copies() (hybrid
// sharding), over which owned gradients are summed next.
//
// Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter models", SC 2020.
// Zhao et al., "PyTorch FSDP: experiences on scaling fully sharded data parallel", VLDB 2023.
// Wang et al., "ZeRO++: extremely efficient collective communication for giant model training", ICLR 2024.

#include <cstdint>

namespace trainyard::parallel {

/// The messages of ranks under ZeRO 3 (ZeRO++).
struct ZeroPlusPlus {
    /// Consecutive ranks of a shard group, such as those of a host, that together have a second copy of all shares in
    /// the compute dtype: values are gathered over the shard group once after each update, and then over these. 1:
    /// none.
    std::int64_t secondary_ranks = 1;
    bool quantized_weights = false;    ///< matrices are gathered as 8-bit codes (block_codes.h)
    bool quantized_gradients = false;  ///< gradients are sent to their owners as 4-bit codes
    bool any() const { return secondary_ranks > 1 || quantized_weights || quantized_gradients; }
};

struct Sharding {
    std::int64_t zero_stage = 0;
    const char* name = "replicated";
    /// Moments and the average of the weights: each rank updates its range, then values are gathered.
    bool optimizer = false;
    /// Each rank has the sums of its range; what backward writes exists for a few buckets at a time.
    bool gradients = false;
    /// fp32 values, also of frozen parameters: whole ones exist in rooms (value_rooms.h), for the units that compute.
    bool values = false;
    ZeroPlusPlus plus{};  ///< with values
    bool any() const { return optimizer || gradients || values; }
};

/// The row of a ZeRO stage. Throws UserError for a stage that does not exist.
const Sharding& sharding_of_stage(std::int64_t zero_stage);

}  // namespace trainyard::parallel
