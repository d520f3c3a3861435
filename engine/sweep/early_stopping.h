// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// When a trial is so bad that it is ended.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sweep/sweep_file.h"

namespace trainyard::sweep {

struct CurveValue {
    std::int64_t step = 0;
    double value = 0;
};
using Curve = std::vector<CurveValue>;  ///< in the order of steps

/// The best value up to and with `last`; nothing without a value that is a number. Without `last`: of the whole curve.
std::optional<CurveValue> best_of(const Curve& curve, Direction direction, std::optional<std::int64_t> last = {});

/// The first step at which the trial has no value that is a number, or its best one is worse than the median of the
/// values that others have there. Others are complete trials. Golovin et al., "Google Vizier", KDD 2017, 3.2.2.
std::optional<std::int64_t> step_to_stop(const EarlyStopping& rule, Direction direction, const Curve& trial,
                                         std::span<const Curve* const> others);

}  // namespace trainyard::sweep
