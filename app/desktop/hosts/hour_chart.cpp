// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/hour_chart.h"

#include <QPainterPath>

#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plot/axis_paint.h"

namespace trainyard::desktop {

namespace {

constexpr double kGap = 120;  // seconds without an answer end a line
const int& kLeft = live_px(30);
const int& kFoot = live_px(18);

struct LoadCurve {
    std::optional<double> LoadPoint::*value;
    int color;
    Qt::PenStyle dash;
    const char* name;
};
constexpr LoadCurve kLoadCurves[] = {
    {&LoadPoint::gpu, 3, Qt::SolidLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "GPU")},
    {&LoadPoint::memory, 6, Qt::DashLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "memory")},
    {&LoadPoint::cpu, 7, Qt::DotLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "CPU")}};

}  // namespace

HourChart::HourChart(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void HourChart::setPoints(const std::deque<LoadPoint>& points, double now) {
    points_ = points;
    now_ = now;
    QStringList last;
    if (!points.empty())
        for (const LoadCurve& curve : kLoadCurves)
            if (const auto value = points.back().*curve.value)
                last << tr(curve.name) + QLatin1Char(' ') + widgets::percent_text(*value / 100);
    setAccessibleName(tr("Load of the last hour"));
    setAccessibleDescription(last.isEmpty() ? tr("no data") : widgets::list_text(last));
    update();
}

void HourChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const QRectF plot(kLeft, 6_px, width() - kLeft - 6_px, height() - kFoot - 10_px);
    std::vector<widgets::AxisTick> minutes;
    for (int minute = 60; minute >= 0; minute -= 15)
        minutes.push_back({-60.0 * minute, minute == 0 ? tr("now") : tr("−%1 min").arg(minute)});
    const widgets::Look look = widgets::screen_look();
    widgets::paint_axis(
        painter, widgets::AxisEdge::Left, plot, widgets::number_ticks(0, 100, false, 2),
        [&](double percent) { return plot.bottom() - plot.height() * percent / 100; }, look);
    widgets::paint_axis(
        painter, widgets::AxisEdge::Bottom, plot, minutes,
        [&](double seconds) { return plot.right() + plot.width() * seconds / kLoadSpan; }, look);
    for (const LoadCurve& curve : kLoadCurves) {
        QPainterPath path;
        double before = -1;
        QPointF last;
        bool drawn = false;
        for (const LoadPoint& point : points_) {
            const auto value = point.*curve.value;
            if (!value || point.time < now_ - kLoadSpan)
                continue;
            last = QPointF(plot.right() - plot.width() * (now_ - point.time) / kLoadSpan,
                           plot.bottom() - plot.height() * *value / 100);
            if (before < 0 || point.time - before > kGap)
                path.moveTo(last);
            else
                path.lineTo(last);
            before = point.time;
            drawn = true;
        }
        const QColor color = theme.runColor(curve.color);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.4, curve.dash));
        painter.drawPath(path);
        if (!drawn)
            continue;
        // One answer alone is a point.
        fill_disc(painter, QRectF(last.x() - 2.2, last.y() - 2.2, 4.4, 4.4), color);
    }
}

}  // namespace trainyard::desktop
