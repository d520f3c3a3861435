// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reduces a column of any length to at most a few points per pixel, for drawing. In each pixel column the lowest and
// the highest value are kept in their order, so that no spike vanishes at any zoom.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <QPointF>

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

/// Returns the points in `range` and one beyond each end: all of them if there are at most 2 * columns, else at most 2
/// per column (2 * columns + 2 in total). NaN y marks a gap.
std::vector<QPointF> reduced(const Reducible& data, const XScale& scale, const XRange& range, int columns);

/// Lower and upper edge of the values, one pair per column with values, for the band. `lower` and `upper` have equal
/// length.
struct Band {
    std::vector<QPointF> lower;
    std::vector<QPointF> upper;
};
Band band(const Series& series, const XScale& scale, const XRange& range, int columns);

/// Smallest and largest finite value within `range`. Returns false if there is none. `above_zero`: only positive values
/// count (logarithmic axis).
bool value_range(const Reducible& data, const XScale& scale, const XRange& range, bool above_zero, double& lower,
                 double& upper);

}  // namespace trainyard::widgets
