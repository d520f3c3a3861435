// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/batch_chart.h"

#include <algorithm>

#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plot/axis_paint.h"

namespace trainyard::desktop {

BatchChart::BatchChart(Scenario* scenario, QWidget* parent) : QWidget(parent), scenario_(scenario) {
    setAccessibleName(tr("Memory by micro-batch"));
    connect(scenario_, &Scenario::answersChanged, this, QOverload<>::of(&QWidget::update));
    connect(scenario_, &Scenario::changed, this, QOverload<>::of(&QWidget::update));
}

void BatchChart::paintEvent(QPaintEvent*) {
    if (!scenario_->answers())
        return;
    const Scenario::Answers& answers = *scenario_->answers();
    SmoothPainter painter(this);
    Theme& theme = Theme::instance();
    // The names of the curves are below each other where one line has no room for both.
    const QFontMetricsF letters(theme.text(11));
    const QString now = tr("now"), checkpointed = tr("checkpointed");
    const QRectF names = QRectF(rect()).adjusted(0, 0, -10_px, 0);
    const double name_height = 16_px, swatch = 8_px, before_name = swatch + 6_px;
    const double widest = letters.horizontalAdvance(checkpointed);
    const bool one_line = letters.horizontalAdvance(now) + widest + 2 * before_name + 8_px <= names.width();
    QRectF area = names.adjusted(0, (one_line ? 1 : 2) * name_height + 6_px, 0, -20_px);
    const double limit = scenario_->search().limit();
    double most = limit;
    for (const auto* curve : {&answers.by_batch, &answers.by_batch_full})
        for (double bytes : *curve)
            most = std::max(most, bytes);
    most *= 1.05;
    const double gib = 1024.0 * 1024 * 1024;
    const std::vector<widgets::AxisTick> sizes =
        widgets::number_ticks(0, most / gib, false, std::max(2, static_cast<int>(area.height()) / 40_px));
    const QFontMetricsF figures(theme.mono(11));
    double before_axis = 0;
    for (const widgets::AxisTick& size : sizes)
        before_axis = std::max(before_axis, figures.horizontalAdvance(size.text) + 14_px);
    area.setLeft(before_axis);
    const auto point = [&](std::size_t i, double bytes) {
        return QPointF(area.left() + area.width() * static_cast<double>(i) / (Scenario::kBatches - 1),
                       area.bottom() - area.height() * bytes / most);
    };
    const widgets::Look look = widgets::screen_look();
    widgets::paint_axis(
        painter, widgets::AxisEdge::Left, area, sizes, [&](double value) { return point(0, value * gib).y(); }, look);
    std::vector<widgets::AxisTick> batches;
    for (const int batch : {1, Scenario::kBatches / 2, Scenario::kBatches})
        batches.push_back({static_cast<double>(batch), QString::number(batch)});
    widgets::paint_axis(
        painter, widgets::AxisEdge::Bottom, area, batches,
        [&](double batch) { return point(static_cast<std::size_t>(batch) - 1, 0).x(); }, look);
    painter.setPen(QPen(theme.color(Token::Error), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), point(0, limit).y()), QPointF(area.right(), point(0, limit).y()));
    const auto draw = [&](const std::vector<double>& curve, int color, Qt::PenStyle style) {
        painter.setPen(QPen(theme.runColor(color), 2, style));
        for (std::size_t i = 1; i < curve.size(); ++i)
            painter.drawLine(point(i - 1, curve[i - 1]), point(i, curve[i]));
    };
    draw(answers.by_batch, 2, Qt::SolidLine);
    draw(answers.by_batch_full, 3, Qt::DashLine);
    const auto name = [&](double left, double top, int color, const QString& words) {
        fill_box(painter, QRectF(left, top + (name_height - swatch) / 2, swatch, swatch), 2, theme.runColor(color));
        draw_elided(painter, theme.text(11), Token::TextSecondary,
                    QRectF(left + before_name, top, names.right() - left - before_name, name_height), words);
    };
    name(names.left(), 0, 2, now);
    name(one_line ? names.right() - widest - before_name - 1 : names.left(), one_line ? 0 : name_height, 3,
         checkpointed);
}

}  // namespace trainyard::desktop
