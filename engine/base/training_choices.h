// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Choices that recipes share with programs that train by `Accelerator`.

#include "base/choice.h"

namespace trainyard {

/// Number format of matrix products.
enum class Precision : unsigned char { no, fp16, bf16, fp8 };
constexpr auto choice_names(Precision) {
    return std::array{"no", "fp16", "bf16", "fp8"};
}

/// How gradients travel between ranks: as they are, in 16 bits, or of low rank
/// (distributed/parallel/trainyard/comm_hook.h).
enum class CommHookType : unsigned char { no, fp16, bf16, power_sgd, batched_power_sgd };
constexpr auto choice_names(CommHookType) {
    return std::array{"no", "fp16", "bf16", "power_sgd", "batched_power_sgd"};
}

/// What to do when a step goes wrong, in rising strength. rollback: to the last good checkpoint
/// (train/loop/roll_back.h).
enum class HealthAction : unsigned char { ignore, warn, skip, rollback, pause, stop };
constexpr auto choice_names(HealthAction) {
    return std::array{"ignore", "warn", "skip", "rollback", "pause", "stop"};
}

}  // namespace trainyard
