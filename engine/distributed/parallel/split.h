// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Splits work other than training batches between ranks, in consecutive ranges. If the work does not divide evenly, the
// ranges of the first ranks are one longer. The same rule as Accelerate's split_between_processes.

#include <algorithm>
#include <cstdint>

namespace trainyard::parallel {

/// [begin, end), e.g. in elements of an arena.
struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

/// This rank's part of [0, length); empty for ranks beyond it.
inline Range split_between(std::int64_t length, int rank, int ranks) {
    std::int64_t each = length / ranks, longer = length % ranks;
    std::int64_t begin = rank * each + std::min<std::int64_t>(rank, longer);
    return {begin, begin + each + (rank < longer ? 1 : 0)};
}

}  // namespace trainyard::parallel
