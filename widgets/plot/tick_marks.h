#pragma once
// Where the ticks of an axis stand: round numbers, round times, and on a logarithmic axis 1-2-5 over decades or round numbers within
// one.

#include <vector>

#include "widgets/plot/series.h"

namespace trainyard::widgets {

struct TickMarks {
    std::vector<double> at;
    double step = 1;  ///< distance, for the number of decimals; 0: each tick has its own
};

/// About `wanted` ticks within [lower, upper].
TickMarks linear_ticks(double lower, double upper, int wanted, bool whole_numbers = false);
TickMarks time_ticks(double lower, double upper, int wanted);
/// Seconds since 1970 at full minutes, hours, days, months of the local clock.
TickMarks wall_ticks(double lower, double upper, int wanted);
/// 0 < lower < upper.
TickMarks log_ticks(double lower, double upper, int wanted);

}  // namespace trainyard::widgets
