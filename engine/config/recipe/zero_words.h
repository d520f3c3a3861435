// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words for parallel.zero_stage, for people.

#include <cstdint>

#include "base/message.h"

namespace trainyard::config {

/// "ZeRO-2: optimizer state and gradients are shared out among the 4 ranks"; empty for stage 0.
inline Message zero_words(std::int64_t zero_stage, std::int64_t ranks) {
    if (zero_stage == 0)
        return {};
    if (ranks == 1)
        return Message("ZeRO-{}: nothing is shared out, since there is one rank", zero_stage);
    if (zero_stage == 1)
        return Message("ZeRO-{}: optimizer state is shared out among the {} ranks", zero_stage, ranks);
    if (zero_stage == 3)
        return Message("ZeRO-3: optimizer state, gradients and weights are sharded over {} ranks", ranks);
    return Message("ZeRO-{}: optimizer state and gradients are shared out among the {} ranks", zero_stage, ranks);
}

}  // namespace trainyard::config
