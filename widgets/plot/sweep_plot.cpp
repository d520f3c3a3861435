// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/sweep_plot.h"

#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QMouseEvent>

#include "widgets/paint.h"
#include "widgets/plot/number_text.h"
#include "widgets/plot/text_box.h"

namespace trainyard::widgets {

SweepPlot::SweepPlot(const QString& accessibleName, const QSize& least, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(least);
}

void SweepPlot::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Look look = screen_look();
    painter.fillRect(rect(), look.color(Token::BgPanel));
    if (sweep_.axes.isEmpty() || sweep_.runs.isEmpty()) {
        draw_text(painter, Theme::instance().text(12), Token::TextMuted, rect(), tr("No runs with these values"),
                  Qt::AlignCenter);
        return;
    }
    draw(painter, look);
    if (hasFocus())
        draw_ring(painter, rect(), 6);
}

void SweepPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const int run = runAt(event->position()); run >= 0)
        emit activated(sweep_.runs[run].id);
}

void SweepPlot::hover(int run) {
    if (run == hovered_)
        return;
    hovered_ = run;
    update();
}

QColor SweepPlot::colorOf(int run, const Look& look) const {
    if (color_ < 0 || color_ >= sweep_.axes.size())
        return look.run(sweep_.runs[run].color);
    const std::optional<double> share = sweep_place(sweep_.axes[color_], color_range_, sweep_.runs[run].values[color_]);
    return share ? sweep_heat(*share, look) : look.color(Token::TextMuted);
}

void SweepPlot::drawValues(QPainter& painter, const Look& look, const QPointF& beside, const QVector<int>& axes) const {
    const SweepRun& run = sweep_.runs[hovered_];
    TextBox box;
    box.left = run.name;
    for (int axis : axes)
        box.rows.append(
            {colorOf(hovered_, look), sweep_.axes[axis].name, sweep_words(sweep_.axes[axis], run.values[axis]), false});
    box.paint(painter,
              box.beside(beside - QPointF(0, box.size().height() / 2), QRectF(rect()).adjusted(2, 2, -2, -2),
                         layoutDirection()),
              look);
}

QColor sweep_heat(double share, const Look& look) {
    share = std::clamp(share, 0.0, 1.0);
    const QColor low = mixed(look.run(1), look.color(Token::BgPanel), 0.45);
    return share < 0.5 ? mixed(look.run(1), low, share * 2)
                       : mixed(look.color(Token::Warn), look.run(1), share * 2 - 1);
}

std::vector<AxisTick> sweep_ticks(const SweepAxis& axis, const XRange& range, int wanted) {
    if (!axis.isWords())
        return number_ticks(range.lower, range.upper, axis.log, wanted);
    std::vector<AxisTick> ticks;
    const auto stride = std::max<qsizetype>(1, (axis.words.size() + wanted - 1) / std::max(1, wanted));
    for (qsizetype i = 0; i < axis.words.size(); i += stride)
        ticks.push_back({static_cast<double>(i), axis.words[i]});
    return ticks;
}

QString sweep_words(const SweepAxis& axis, double value) {
    if (axis.isWords())
        return std::isfinite(value) ? axis.words.value(static_cast<qsizetype>(value)) : QString();
    if (value == std::floor(value) && std::abs(value) < 1e9)
        return QLocale().toString(static_cast<qlonglong>(value));
    return value_number(value);
}

}  // namespace trainyard::widgets
