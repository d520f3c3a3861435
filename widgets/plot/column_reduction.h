// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reduces a column of any length to at most a few points per pixel, for drawing. In each pixel column the lowest and
// the highest value are kept in their order, so that no spike vanishes at any zoom. Without Qt: reduction.h has the
// same with the points of Qt.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "widgets/plot/series.h"
#include "widgets/plot/smoothing.h"

namespace trainyard::widgets {

struct XRange {
    double lower = 0;
    double upper = 1;
    double size() const { return upper - lower; }
    bool operator==(const XRange&) const = default;
};

/// A column to reduce: the raw values of a series or its smoothed twin.
class Reducible {
  public:
    explicit Reducible(const Series& series, const SmoothedColumn* twin = nullptr) : series_(&series), twin_(twin) {}
    const Series& series() const { return *series_; }
    bool isTwin() const { return twin_ != nullptr; }
    /// Number of points in the column: a twin may have fewer than its series.
    std::size_t size() const { return twin_ ? std::min(twin_->size(), series_->size()) : series_->size(); }
    double value(std::size_t index) const { return twin_ ? twin_->value(index) : series_->value(index); }
    Extremes extremes(std::size_t first, std::size_t last) const {
        return twin_ ? twin_->extremes(first, last) : series_->extremes(first, last);
    }
    double lowestAboveZero(std::size_t first, std::size_t last) const {
        return twin_ ? twin_->lowestAboveZero(first, last) : series_->lowestAboveZero(first, last);
    }

  private:
    const Series* series_;
    const SmoothedColumn* twin_;
};

inline Reducible raw(const Series& series) {
    return Reducible(series);
}
inline Reducible smooth(const Series& series, const SmoothedColumn& twin) {
    return Reducible(series, &twin);
}

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

/// Calls add(x, y) for the points in `range` and one beyond each end: all of them if there are at most 2 * columns,
/// else at most 2 per column (2 * columns + 2 in total). NaN y marks a gap.
template <class Add>
void reduce(const Reducible& data, const XScale& scale, const XRange& range, int columns, Add add_point) {
    const Series& series = data.series();
    const std::size_t size = data.size();
    if (size == 0 || columns < 1 || !(range.size() > 0))
        return;
    const auto add = [&](std::size_t index, double value) { add_point(series.x(index, scale), value); };
    const std::size_t first = std::min(size, series.lowerBound(range.lower, scale));
    const std::size_t last = std::min(size, series.lowerBound(std::nextafter(range.upper, HUGE_VAL), scale));
    if (first > 0)
        add(first - 1, data.value(first - 1));
    if (last - first <= 2 * static_cast<std::size_t>(columns)) {
        series.forEach(first, last, [&](std::size_t index, const SeriesPoint& point) {
            add_point(scale.value(point), data.isTwin() ? data.value(index) : point.value);
        });
    } else {
        each_column(series, size, scale, range, columns, [&](std::size_t begin, std::size_t end, double middle) {
            const Extremes found = data.extremes(begin, end);
            if (!found.found) {
                add_point(middle, kNoNumber);
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
}

/// Smallest and largest finite value within `range`. Returns false if there is none. `above_zero`: only positive values
/// count (logarithmic axis).
bool value_range(const Reducible& data, const XScale& scale, const XRange& range, bool above_zero, double& lower,
                 double& upper);

}  // namespace trainyard::widgets
