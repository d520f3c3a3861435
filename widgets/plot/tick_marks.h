// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Positions of the ticks of an axis, without Qt; axis_ticks.h has their labels.

#include <vector>

namespace trainyard::widgets {

struct TickMarks {
    std::vector<double> at;
    double step = 1;  ///< distance between ticks, for the number of decimals; 0: each tick has its own
};

/// Returns about `wanted` ticks within [lower, upper].
TickMarks linear_ticks(double lower, double upper, int wanted, bool whole_numbers = false);
TickMarks time_ticks(double lower, double upper, int wanted);
/// Returns ticks of a logarithmic axis. Requires 0 < lower < upper.
TickMarks log_ticks(double lower, double upper, int wanted);

}  // namespace trainyard::widgets
