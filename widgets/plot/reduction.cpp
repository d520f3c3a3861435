// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/reduction.h"

#include <cmath>

namespace trainyard::widgets {

namespace {

/// Calls visit(first, last, x of the middle) for each pixel column that holds some of the first `size` points.
template <class Visit>
void each_column(const Series& series, std::size_t size, const XScale& scale, const XRange& range, int columns,
                 Visit visit) {
    std::size_t first = series.lowerBound(range.lower, scale);
    const double width = range.size() / columns;
    for (int column = 0; column < columns && first < size; ++column) {
        const double end = column + 1 == columns ? std::nextafter(range.upper, HUGE_VAL)
                                                 : range.lower + width * static_cast<double>(column + 1);
        const std::size_t last = std::min(size, std::max(first, series.lowerBound(end, scale)));
        if (last > first)
            visit(first, last, range.lower + width * (static_cast<double>(column) + 0.5));
        first = last;
    }
}

}  // namespace

std::vector<QPointF> reduced(const Reducible& data, const XScale& scale, const XRange& range, int columns) {
    std::vector<QPointF> points;
    const Series& series = data.series();
    const std::size_t size = data.size();
    if (size == 0 || columns < 1 || !(range.size() > 0))
        return points;
    const auto add = [&](std::size_t index, double value) { points.emplace_back(series.x(index, scale), value); };
    const std::size_t first = std::min(size, series.lowerBound(range.lower, scale));
    const std::size_t last = std::min(size, series.lowerBound(std::nextafter(range.upper, HUGE_VAL), scale));
    if (first > 0)
        add(first - 1, data.value(first - 1));
    if (last - first <= 2 * static_cast<std::size_t>(columns)) {
        series.forEach(first, last, [&](std::size_t index, const SeriesPoint& point) {
            points.emplace_back(scale.value(point), data.isTwin() ? data.value(index) : point.value);
        });
    } else {
        each_column(series, size, scale, range, columns, [&](std::size_t begin, std::size_t end, double middle) {
            const Extremes found = data.extremes(begin, end);
            if (!found.found) {
                points.emplace_back(middle, kNoNumber);
                return;
            }
            if (found.lowest < found.highest)
                add(found.lowest, found.low);
            add(found.highest, found.high);
            if (found.highest < found.lowest)
                add(found.lowest, found.low);
        });
    }
    if (last < size)
        add(last, data.value(last));
    return points;
}

Band band(const Series& series, const XScale& scale, const XRange& range, int columns) {
    Band edges;
    if (series.empty() || columns < 1 || !(range.size() > 0))
        return edges;
    each_column(series, series.size(), scale, range, columns, [&](std::size_t begin, std::size_t end, double middle) {
        const Extremes found = series.extremes(begin, end);
        if (!found.found)
            return;
        edges.lower.emplace_back(middle, found.low);
        edges.upper.emplace_back(middle, found.high);
    });
    return edges;
}

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
