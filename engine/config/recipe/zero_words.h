#pragma once
// Words for parallel.zero_stage, for people.

#include <cstdint>
#include <string>

namespace trainyard::config {

/// "ZeRO-2: optimizer state and gradients are shared out among the 4 ranks"; empty for stage 0.
inline std::string zero_words(std::int64_t zero_stage, std::int64_t ranks) {
    if (zero_stage == 0)
        return {};
    const std::string name = "ZeRO-" + std::to_string(zero_stage) + ": ";
    if (ranks == 1)
        return name + "nothing is shared out, since there is one rank";
    return name + (zero_stage == 1 ? "optimizer state is" : "optimizer state and gradients are") +
           " shared out among the " + std::to_string(ranks) + " ranks";
}

}  // namespace trainyard::config
