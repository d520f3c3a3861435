// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_plottable.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

namespace {
/// An empty range to be expanded. The constructor with both ends would reorder them.
QCPRange nothing() {
    QCPRange range;
    range.lower = HUGE_VAL;
    range.upper = -HUGE_VAL;
    return range;
}
}  // namespace

CurvePlottable::CurvePlottable(PlotCanvas* canvas, const QVector<Curve>& curves, const ChartView& view)
    : QCPAbstractPlottable(canvas->xAxis, canvas->yAxis), canvas_(canvas), curves_(curves), view_(view) {}

void CurvePlottable::replot(const QSize& size, double ratio, bool moved) {
    moved_ = moved;
    if (moved)
        picture_.hold();
    canvas_->paintInto(picture_.blank(size, ratio));
}

void CurvePlottable::draw(QCPPainter* painter) {
    if (!canvas_->isPainting())
        return;
    if (painter->modes().testFlag(QCPPainter::pmVectorized))
        picture_.paintLines(*painter, curves_, view_, canvas_->frame(), canvas_->look());
    else if (moved_)
        picture_.drawMoved(*painter, canvas_->frame());
    else
        picture_.draw(*painter, curves_, view_, canvas_->frame(), canvas_->look());
}

double CurvePlottable::valueAt(const Curve& curve, double x) const {
    if (curve.series->empty())
        return kNoNumber;
    const std::size_t at = curve.series->nearest(x, scale_of(curve, view_));
    if (has_trend(curve, view_))
        if (const std::optional<double> value = picture_.trendOf(curve).valueAt(*curve.series, at))
            return *value;
    return curve.series->value(at);
}

double CurvePlottable::selectTest(const QPointF& position, bool, QVariant* details) const {
    const PlotFrame& frame = canvas_->frame();
    const double x = frame.xAt(position.x());
    double distance = kReach;
    int nearest = -1;
    for (int i = 0; i < curves_.size(); ++i) {
        const Curve& curve = curves_[i];
        if (!curve.visible || curve.series->empty())
            continue;
        // Between two points, the distance is measured to the line that connects them.
        const XScale scale = scale_of(curve, view_);
        const std::size_t right = curve.series->lowerBound(x, scale);
        double y = valueAt(curve, x);
        if (right > 0 && right < curve.series->size()) {
            const double x0 = curve.series->x(right - 1, scale), x1 = curve.series->x(right, scale);
            const double y0 = valueAt(curve, x0), y1 = valueAt(curve, x1);
            if (x1 > x0)
                y = y0 + (y1 - y0) * (x - x0) / (x1 - x0);
        } else if (std::abs(frame.pixelOfX(curve.series->x(right == 0 ? 0 : right - 1, scale)) - position.x()) >
                   kReach) {
            continue;
        }
        if (const double away = std::abs(frame.side(curve.right).pixelOfY(y) - position.y()); away < distance) {
            distance = away;
            nearest = i;
        }
    }
    if (details)
        details->setValue(nearest);
    return nearest < 0 ? -1 : distance;
}

QCPRange CurvePlottable::getKeyRange(bool& found, QCP::SignDomain domain) const {
    QCPRange range = nothing();
    for (const Curve& curve : curves_) {
        const Series& series = *curve.series;
        if (series.empty() || !curve.visible)
            continue;
        const XScale scale = scale_of(curve, view_);
        const std::size_t first =
            domain == QCP::sdPositive ? series.lowerBound(std::numeric_limits<double>::min(), scale) : 0;
        if (first == series.size())
            continue;
        range.lower = std::min(range.lower, series.x(first, scale));
        range.upper = std::max(range.upper, series.x(series.size() - 1, scale));
    }
    found = range.lower <= range.upper;
    return range;
}

QCPRange CurvePlottable::getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const {
    return valueRange(found, domain, keys, false);
}

QCPRange CurvePlottable::valueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys, bool right) const {
    QCPRange range = nothing();
    for (const Curve& curve : curves_)
        for (const Series* series : {curve.series, curve.low, curve.high}) {
            double low = 0, high = 0;
            if (curve.visible && curve.right == right && series &&
                value_range(raw(*series), scale_of(curve, view_), {keys.lower, keys.upper}, domain == QCP::sdPositive,
                            low, high)) {
                range.lower = std::min(range.lower, low);
                range.upper = std::max(range.upper, high);
            }
        }
    found = range.lower <= range.upper;
    return range;
}

bool CurvePlottable::hasRight() const {
    return std::any_of(curves_.begin(), curves_.end(),
                       [](const Curve& curve) { return curve.right && curve.visible && !curve.series->empty(); });
}

}  // namespace trainyard::widgets
