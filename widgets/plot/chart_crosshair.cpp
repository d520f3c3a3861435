// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_crosshair.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "widgets/plot/curve_plottable.h"
#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

namespace {
QString signed_number(double value) {
    return value > 0 ? QLatin1Char('+') + value_number(value) : value_number(value);
}
}  // namespace

ChartCrosshair::ChartCrosshair(const CurvePlottable* plottable, ChartView& view, QObject* parent)
    : QObject(parent), plottable_(plottable), curves_(plottable->curves()), view_(view) {}

bool ChartCrosshair::isShown() const {
    return !std::isnan(view_.crosshair);
}

void ChartCrosshair::set(double x) {
    if (x == view_.crosshair || (std::isnan(x) && !isShown()))
        return;
    view_.crosshair = x;
    emit changed();
}

void ChartCrosshair::move(double x) {
    set(x);
    emit moved(x);
}

void ChartCrosshair::follow(const QPoint& pointer) {
    const PlotFrame& frame = plottable_->frame();
    if (!frame.area.contains(pointer))
        return leave();
    pointer_y_ = pointer.y();
    move(frame.xAt(pointer.x()));
}

void ChartCrosshair::leave() {
    pointer_y_ = kNoNumber;
    move(kNoNumber);
}

void ChartCrosshair::step(int sign) {
    const auto shown = std::find_if(curves_.begin(), curves_.end(),
                                    [](const Curve& curve) { return curve.visible && !curve.series->empty(); });
    if (shown == curves_.end())
        return;
    const Series& series = *shown->series;
    const XScale scale = scale_of(*shown, view_);
    pointer_y_ = kNoNumber;
    if (!isShown()) {
        const std::size_t first = std::min(series.lowerBound(view_.x.lower, scale), series.size() - 1);
        const std::size_t end = series.lowerBound(view_.x.upper, scale);
        move(series.x(sign < 0 ? std::max<std::size_t>(end, 1) - 1 : first, scale));
        return;
    }
    // One point, or one pixel if points are closer than that.
    const double pixel = view_.x.size() / std::max(1, plottable_->frame().area.width());
    const std::size_t now = series.nearest(view_.crosshair, scale);
    const std::size_t next = sign < 0 ? (now > 0 ? now - 1 : 0) : std::min(now + 1, series.size() - 1);
    const double near = series.x(next, scale);
    const double far = series.x(series.nearest(view_.crosshair + sign * pixel, scale), scale);
    move(sign < 0 ? std::min(near, far) : std::max(near, far));
}

void ChartCrosshair::setPins(const QVector<double>& pins) {
    if (pins == pins_)
        return;
    pins_ = pins.mid(std::max<qsizetype>(0, pins.size() - 2));
    emit changed();
}

void ChartCrosshair::pin(double x) {
    setPins(pins_ + QVector<double>{x});
    emit pinned(pins_);
}

void ChartCrosshair::removePins() {
    setPins({});
    emit pinned(pins_);
}

double ChartCrosshair::value(int curve) const {
    const Series& series = *curves_[curve].series;
    if (series.empty())
        return kNoNumber;
    if (!isShown())
        return series.value(series.size() - 1);
    return series.value(series.nearest(view_.crosshair, scale_of(curves_[curve], view_)));
}

QVector<int> ChartCrosshair::nearestCurves(int most) const {
    QVector<int> found;
    for (int i = 0; i < curves_.size(); ++i)
        if (curves_[i].visible && !curves_[i].series->empty())
            found.append(i);
    if (found.size() <= most)
        return found;
    const PlotFrame& at = plottable_->frame();
    QVector<std::pair<double, int>> heights;  // pixels
    for (int i : found) {
        const double y = at.side(curves_[i].right).pixelOfY(plottable_->valueAt(curves_[i], view_.crosshair));
        heights.append({std::isfinite(y) ? y : at.area.top() - 1.0, i});
    }
    if (std::isfinite(pointer_y_)) {
        std::partial_sort(heights.begin(), heights.begin() + most, heights.end(), [this](const auto& a, const auto& b) {
            return std::abs(a.first - pointer_y_) < std::abs(b.first - pointer_y_);
        });
    }
    heights.resize(most);
    std::stable_sort(heights.begin(), heights.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    found.clear();
    for (const auto& [y, i] : heights)
        found.append(i);
    return found;
}

QVector<ChartCrosshair::Row> ChartCrosshair::rows(int most, int* rest) const {
    QVector<Row> rows;
    if (rest)
        *rest = 0;
    if (!isShown())
        return rows;
    const bool doubled = std::any_of(curves_.begin(), curves_.end(),
                                     [this](const Curve& curve) { return curve.visible && has_trend(curve, view_); });
    const bool few = static_cast<int>(curves_.size()) * (doubled ? 2 : 1) <= most;
    const QVector<int> chosen = nearestCurves(most);
    if (rest) {
        const auto shown = std::count_if(curves_.begin(), curves_.end(),
                                         [](const Curve& curve) { return curve.visible && !curve.series->empty(); });
        *rest = static_cast<int>(shown - chosen.size());
    }
    const double pixel = view_.x.size() / std::max(1, plottable_->frame().area.width());
    for (int i : chosen) {
        const Curve& curve = curves_[i];
        const Series& series = *curve.series;
        const XScale scale = scale_of(curve, view_);
        const std::size_t at = series.nearest(view_.crosshair, scale);
        const double x = series.x(at, scale);
        QString name = curve.name;
        // The nearest point of a sparse curve, or of one that has ended or not begun, is elsewhere.
        if (const QString place = position_text(x, view_.scale.unit);
            std::abs(x - view_.crosshair) > 3 * pixel && place != position_text(view_.crosshair, view_.scale.unit))
            name = tr("%1 (at %2)").arg(name, place);
        const double value = plottable_->valueAt(curve, view_.crosshair);
        if (const auto other = std::find_if(curves_.begin(), curves_.end(),
                                            [&](const Curve& one) { return one.series == curve.measured; });
            curve.measured != nullptr && other != curves_.end() && !other->series->empty()) {
            const double difference = plottable_->valueAt(*other, view_.crosshair) - value;
            if (std::isfinite(difference))
                name = tr("%1 (Δ %2)").arg(name, signed_number(difference));
        }
        if (!has_trend(curve, view_) || curve.trend_alone) {
            rows.append({i, curve.color, name, value_number(value), value, x});
            continue;
        }
        const bool best = view_.trend == Trend::Lowest || view_.trend == Trend::Highest;
        rows.append({i, curve.color, best ? tr("%1 · best").arg(name) : tr("%1 · smoothed").arg(name),
                     value_number(value), value, x});
        if (!few)
            continue;
        const std::size_t first = series.lowerBound(view_.crosshair - 1.5 * pixel, scale);
        const std::size_t last = series.lowerBound(view_.crosshair + 1.5 * pixel, scale);
        const Extremes found = series.extremes(first, last);
        if (last > first + 1 && found.found)
            rows.append({i, curve.color, tr("%1 · raw min – max").arg(curve.name),
                         tr("%1 – %2").arg(value_number(found.low), value_number(found.high)), kNoNumber});
        else
            rows.append({i, curve.color, tr("%1 · raw").arg(curve.name), value_number(series.value(at)), kNoNumber});
    }
    return rows;
}

ChartCrosshair::Measure ChartCrosshair::measure(int most) const {
    Measure found;
    if (pins_.size() < 2)
        return found;
    const double from = pins_[0], to = pins_[1];
    QStringList words;
    for (const Curve& curve : curves_) {
        const Series& series = *curve.series;
        if (!curve.visible || series.empty())
            continue;
        const XScale scale = scale_of(curve, view_);
        const std::size_t a = series.nearest(from, scale), b = series.nearest(to, scale);
        if (words.isEmpty()) {
            const double seconds = series.wallTime(b) - series.wallTime(a);
            const auto steps = static_cast<qlonglong>(series.step(b) - series.step(a));
            if (scale.unit == XUnit::Value)
                words << tr("Δ %1").arg(position_text(seconds, XUnit::Value));
            else
                words << tr("Δ %1 steps").arg(QLocale().toString(steps))
                      << (seconds < 0 ? QString(QChar(0x2212)) : QString()) + duration_words(std::abs(seconds));
        }
        if (found.rows.size() == most)
            break;
        const int index = static_cast<int>(&curve - curves_.constData());
        const double change = plottable_->valueAt(curve, to) - plottable_->valueAt(curve, from);
        found.rows.append({index, curve.color, curve.name, signed_number(change), kNoNumber});
    }
    found.distance = words.join(QStringLiteral(" · "));
    return found;
}

}  // namespace trainyard::widgets
