// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trend line of one curve, whatever kind it is: kept up to date, a limited number of points a call, so that a long curve never holds
// the event loop.

#include <optional>
#include <vector>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/derived_series.h"
#include "widgets/plot/smoothing.h"

namespace trainyard::widgets {

class TrendColumn {
  public:
    /// Computes on for `milliseconds` at most; false when more is left to do.
    bool follow(const Series& series, Trend trend, double weight, double milliseconds);
    std::vector<QPointF> reduced(const Series& series, const XScale& scale, const XRange& range, int columns) const;
    /// At a point of the series; nothing where the trend has not come yet.
    std::optional<double> valueAt(const Series& series, std::size_t index) const;
    /// Share of the points that it covers, 0..1.
    double done(const Series& series) const;

  private:
    std::optional<Trend> trend_;
    SmoothedColumn average_;
    MedianSeries median_;
    BestSeries best_;
};

}  // namespace trainyard::widgets
