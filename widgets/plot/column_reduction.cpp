// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/column_reduction.h"

namespace trainyard::widgets {

bool value_range(const Reducible& data, const XScale& scale, const XRange& range, bool above_zero, double& lower,
                 double& upper) {
    const std::size_t size = data.size();
    const std::size_t first = std::min(size, data.series().lowerBound(range.lower, scale));
    const std::size_t last = std::min(size, data.series().lowerBound(std::nextafter(range.upper, HUGE_VAL), scale));
    const Extremes found = data.extremes(first, last);
    if (!found.found)
        return false;
    lower = found.low;
    upper = found.high;
    if (!above_zero || lower > 0)
        return true;
    if (upper <= 0)
        return false;
    lower = data.lowestAboveZero(first, last);
    return true;
}

}  // namespace trainyard::widgets
