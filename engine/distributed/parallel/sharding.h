#pragma once
// The table of shardings: which buffers of the flat groups (flat_group.h) the data-parallel ranks share out among them, how gradients are
// summed, and when values are gathered. The ranks of Mesh::data() share; every rank holds the same range of each bucket of neighbouring
// groups in all of its sharded buffers. Values are whole on every rank between two steps.
//
// Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter models", SC 2020.

#include <cstdint>

namespace trainyard::parallel {

struct Sharding {
    std::int64_t zero_stage = 0;
    const char* name = "replicated";
    bool optimizer =
        false;  ///< moments and the average of the weights: each rank updates its range, then values are gathered
    bool gradients =
        false;  ///< each rank keeps the sums of its range; what backward writes exists for one bucket at a time
    bool any() const { return optimizer || gradients; }
};

/// The row of a stage of ZeRO. Throws UserError for a stage that there is not.
const Sharding& sharding_of_stage(std::int64_t zero_stage);

}  // namespace trainyard::parallel
