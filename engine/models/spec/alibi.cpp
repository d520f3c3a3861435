// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/alibi.h"

#include <bit>
#include <cmath>

namespace trainyard::families {

std::vector<float> alibi_slopes(std::int64_t heads, double largest) {
    std::vector<float> slopes;
    const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const auto base_of = [&](std::int64_t count) {
        return static_cast<float>(std::exp2(-largest / static_cast<double>(count)));
    };
    for (std::int64_t head = 0; head < heads; ++head) {
        const std::int64_t power = head < whole ? head + 1 : 2 * (head - whole) + 1;
        slopes.push_back(std::pow(base_of(head < whole ? whole : 2 * whole), static_cast<float>(power)));
    }
    return slopes;
}

}  // namespace trainyard::families
