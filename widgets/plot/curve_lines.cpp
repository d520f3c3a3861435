// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_lines.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

namespace {

constexpr int kBandColumn = 3;     // pixels
constexpr int kTrendColumn = 3;    // pixels: the trend has no spikes to preserve, and its points are costly
constexpr int kLogPieces = 64;     // number of pieces of a logarithmic axis, each nearly linear
constexpr std::size_t kLeaf = 64;  // points counted individually
constexpr std::size_t kSamples = 65536;
constexpr double kTail = 0.05;  // share of the values omitted at either end, as in TensorBoard

/// Calls visit(range, columns) for the whole axis, or for each piece of a logarithmic axis.
template <class Visit>
void each_piece(const ChartView& view, int columns, Visit visit) {
    if (!view.log_x)
        return visit(view.x, std::max(1, columns));
    if (!(view.x.lower > 0))
        return;
    const double ratio = std::pow(view.x.upper / view.x.lower, 1.0 / kLogPieces);
    XRange piece{view.x.lower, view.x.lower * ratio};
    for (int i = 0; i < kLogPieces; ++i) {
        visit(piece, columns / kLogPieces + 1);
        piece = {piece.upper, i + 2 == kLogPieces ? view.x.upper : piece.upper * ratio};
    }
}

/// reduce(range, columns) returns the points within the range and one beyond each end.
template <class Reduce>
std::vector<QPointF> over_axis(const ChartView& view, int columns, Reduce reduce) {
    if (!view.log_x)
        return reduce(view.x, columns);
    std::vector<QPointF> points;
    each_piece(view, columns, [&](const XRange& piece, int parts) {
        for (const QPointF& point : reduce(piece, parts))
            if (point.x() > 0 && (points.empty() || point.x() > points.back().x() ||
                                  (point.x() == points.back().x() && point.y() != points.back().y())))
                points.push_back(point);
    });
    return points;
}

Band band_of(const Series& series, const XScale& scale, const ChartView& view, int columns) {
    Band whole;
    each_piece(view, columns, [&](const XRange& piece, int parts) {
        const Band part = band(series, scale, piece, parts);
        whole.lower.insert(whole.lower.end(), part.lower.begin(), part.lower.end());
        whole.upper.insert(whole.upper.end(), part.upper.begin(), part.upper.end());
    });
    return whole;
}

/// Points after which a new line segment starts: where the run was restarted and, on an axis of time with pauses, after
/// pauses.
std::vector<std::size_t> fresh_starts(const Curve& curve, const XScale& scale) {
    std::vector<std::size_t> found;
    const auto before = [&](std::size_t index) {
        if (index > 0 && index < curve.series->size())
            found.push_back(index);
    };
    const XScale steps{XUnit::Step, 0, 1, 1, 0};
    for (std::int64_t step : curve.breaks)
        before(curve.series->lowerBound(static_cast<double>(step), steps));
    if (scale.isTime() && scale.idle && !(scale.unit == XUnit::Time && scale.idle_left_out))
        for (const auto& [from, to] : *scale.idle)
            if (std::isfinite(to))
                before(curve.series->lowerBound(scale.atTime((from + to) / 2), scale));
    return found;
}

/// Inserts gaps for values that a logarithmic axis cannot show, and wherever a new segment starts.
void cut(std::vector<QPointF>& points, const Curve& curve, const ChartView& view, int columns) {
    if (is_log(curve, view))
        for (QPointF& point : points)
            if (!(point.y() > 0))
                point.setY(std::numeric_limits<double>::quiet_NaN());
    if (points.empty())
        return;
    const XScale scale = scale_of(curve, view);
    for (const std::size_t index : fresh_starts(curve, scale)) {
        const double middle = (curve.series->x(index - 1, scale) + curve.series->x(index, scale)) / 2;
        const double pixel = (view.log_x ? middle * std::log(view.x.upper / view.x.lower) : view.x.size()) / columns;
        const auto from = std::lower_bound(points.begin(), points.end(), middle - 1.5 * pixel,
                                           [](const QPointF& point, double x) { return point.x() < x; });
        auto to = from;
        while (to != points.end() && to->x() < middle + 1.5 * pixel)
            ++to;
        const QPointF gap(middle, std::numeric_limits<double>::quiet_NaN());
        if (from == to) {
            if (from != points.begin() && from != points.end())
                points.insert(from, gap);
        } else {
            *from = gap;
            points.erase(from + 1, to);
        }
    }
}

/// The best value so far holds until a better one: a line of horizontal and vertical pieces.
std::vector<QPointF> with_steps(const std::vector<QPointF>& points) {
    std::vector<QPointF> made;
    made.reserve(2 * points.size());
    for (const QPointF& point : points) {
        if (!made.empty() && std::isfinite(made.back().y()) && std::isfinite(point.y()) &&
            made.back().y() != point.y() && made.back().x() != point.x())
            made.emplace_back(point.x(), made.back().y());
        made.push_back(point);
    }
    return made;
}

template <class Beyond>
void count(const Series& series, std::size_t first, std::size_t last, std::size_t most, std::size_t& found, bool above,
           Beyond beyond) {
    if (first >= last || found >= most)
        return;
    if (last - first <= kLeaf) {
        series.forEach(first, last, [&](std::size_t, const SeriesPoint& point) {
            if (std::isfinite(point.value) && beyond(point.value) && found < most)
                ++found;
        });
        return;
    }
    const Extremes extremes = series.extremes(first, last);
    if (!extremes.found || !beyond(above ? extremes.high : extremes.low))
        return;
    const std::size_t middle = first + (last - first) / 2;
    count(series, first, middle, most, found, above, beyond);
    count(series, middle, last, most, found, above, beyond);
}

}  // namespace

CurveLines lines_of(const Curve& curve, const TrendColumn& trend, const ChartView& view, int columns, bool banded) {
    CurveLines lines;
    const Series& series = *curve.series;
    if (series.empty() || columns < 1)
        return lines;
    const XScale scale = scale_of(curve, view);
    lines.seen = series.lowerBound(view.x.upper, scale) - series.lowerBound(view.x.lower, scale);
    lines.dense = lines.seen > static_cast<std::size_t>(columns);
    const bool has = has_trend(curve, view);
    if (has && banded && view.bands && !curve.trend_alone &&
        lines.seen > static_cast<std::size_t>(columns) * 2 / kBandColumn) {
        lines.band = band_of(series, scale, view, columns / kBandColumn);
    }
    if (curve.low && curve.high)
        lines.band = {band_of(*curve.low, scale, view, columns / kBandColumn).lower,
                      band_of(*curve.high, scale, view, columns / kBandColumn).upper};
    if (is_log(curve, view))
        for (std::size_t i = 0; i < std::min(lines.band.lower.size(), lines.band.upper.size()); ++i)
            if (!(lines.band.lower[i].y() > 0))
                lines.band.lower[i].setY(std::min(y_of(curve, view).lower, lines.band.upper[i].y()));
    if (!(has && curve.trend_alone)) {
        lines.raw = over_axis(
            view, columns, [&](const XRange& range, int parts) { return reduced(raw(series), scale, range, parts); });
        cut(lines.raw, curve, view, columns);
    }
    if (has) {
        lines.trend = over_axis(view, std::max(1, columns / kTrendColumn), [&](const XRange& range, int parts) {
            return trend.reduced(series, scale, range, parts);
        });
        cut(lines.trend, curve, view, columns);
        if (view.trend == Trend::Lowest || view.trend == Trend::Highest)
            lines.trend = with_steps(lines.trend);
    }
    return lines;
}

std::size_t count_above(const Series& series, std::size_t first, std::size_t last, double limit, std::size_t most) {
    std::size_t found = 0;
    count(series, first, std::min(last, series.size()), most, found, true,
          [limit](double value) { return value > limit; });
    return found;
}

std::size_t count_below(const Series& series, std::size_t first, std::size_t last, double limit, std::size_t most) {
    std::size_t found = 0;
    count(series, first, std::min(last, series.size()), most, found, false,
          [limit](double value) { return value < limit; });
    return found;
}

bool usual_range(const QVector<Curve>& curves, const ChartView& view, double& lower, double& upper, bool right) {
    std::vector<double> values;
    const std::size_t each =
        std::clamp<std::size_t>(kSamples / static_cast<std::size_t>(std::max<qsizetype>(1, curves.size())), 64, 4096);
    for (const Curve& curve : curves) {
        if (!curve.visible || curve.right != right)
            continue;
        const Series& series = *curve.series;
        const XScale scale = scale_of(curve, view);
        const std::size_t first = series.lowerBound(view.x.lower, scale);
        const std::size_t last = series.lowerBound(std::nextafter(view.x.upper, HUGE_VAL), scale);
        const std::size_t stride = std::max<std::size_t>(1, (last - first) / each);
        for (std::size_t index = first; index < last; index += stride)
            if (const double value = series.value(index); std::isfinite(value) && (!is_log(curve, view) || value > 0))
                values.push_back(value);
    }
    if (values.empty())
        return false;
    const auto pick = [&](double share) {
        const auto at =
            values.begin() + static_cast<std::ptrdiff_t>(std::floor(share * static_cast<double>(values.size() - 1)));
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    lower = pick(kTail);
    upper = pick(1 - kTail);
    return true;
}

}  // namespace trainyard::widgets
