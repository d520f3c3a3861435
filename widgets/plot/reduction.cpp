// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

std::vector<QPointF> reduced(const Reducible& data, const XScale& scale, const XRange& range, int columns) {
    std::vector<QPointF> points;
    reduce(data, scale, range, columns, [&](double x, double y) { points.emplace_back(x, y); });
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

}  // namespace trainyard::widgets
