#pragma once
// From a column of any length to at most a few points a pixel: what a plot is given to draw. In each pixel column the lowest and the
// highest value survive, in their order, so no spike vanishes at any zoom.

#include <vector>

#include <QPointF>

#include "widgets/plot/series.h"

namespace trainyard::widgets {

struct XRange {
    double lower = 0;
    double upper = 1;
    double size() const { return upper - lower; }
    bool operator==(const XRange&) const = default;
};

/// A column to reduce: values and pyramid belong to the points of `series` (its raw values or a smoothed twin).
struct Reducible {
    const Series* series = nullptr;
    const std::vector<double>* values = nullptr;
    const MinMaxPyramid* pyramid = nullptr;
};

inline Reducible raw(const Series& series) {
    return {&series, &series.values(), &series.pyramid()};
}

/// The points in `range` and one beyond each end: all of them when they are at most 2 * columns, else at most 2 a column
/// (2 * columns + 2 together). NaN y marks a gap.
std::vector<QPointF> reduced(const Reducible& data, const XScale& scale, const XRange& range, int columns);

/// Lower and upper edge of the values, one pair a column that holds any: for the band. `lower` and `upper` have equal length.
struct Band {
    std::vector<QPointF> lower;
    std::vector<QPointF> upper;
};
Band band(const Series& series, const XScale& scale, const XRange& range, int columns);

/// Smallest and largest finite value within `range`; false when there is none. `above_zero`: only positive values count (log axis).
bool value_range(const Reducible& data, const XScale& scale, const XRange& range, bool above_zero, double& lower,
                 double& upper);

}  // namespace trainyard::widgets
