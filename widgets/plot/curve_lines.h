// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What of a curve a picture shows: its visible points, reduced, as values. No painting.

#include <vector>

#include <QPointF>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/trend_column.h"

namespace trainyard::widgets {

struct CurveLines {
    std::vector<QPointF> raw;  ///< NaN y: gap
    std::vector<QPointF> trend;
    Band band;
    std::size_t seen = 0;  ///< points in sight
    bool dense = false;    ///< more points in sight than pixel columns
};

/// `columns`: pixels of the screen across. `banded`: with the band of extremes where it says more than the line.
CurveLines lines_of(const Curve& curve, const TrendColumn& trend, const ChartView& view, int columns, bool banded);

/// How many finite values of [first, last) lie above (below) `limit`, counted up to `most`; at `most` there may be
/// more.
std::size_t count_above(const Series& series, std::size_t first, std::size_t last, double limit, std::size_t most);
std::size_t count_below(const Series& series, std::size_t first, std::size_t last, double limit, std::size_t most);

/// The 5th and 95th percentile of the values in sight of all visible curves of an axis, from at most 4096 evenly
/// chosen points of each; false without any.
bool usual_range(const QVector<Curve>& curves, const ChartView& view, double& lower, double& upper, bool right = false);

}  // namespace trainyard::widgets
