// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/scatter_plot.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>

#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/axis_paint.h"

namespace trainyard::widgets {

namespace {
const int &kScatterLeft = live_px(60), &kScatterRight = live_px(16), &kScatterTop = live_px(26),
          &kScatterBottom = live_px(42), &kScale = live_px(74);  // pixels
const double& kPointReach = live_px(9.0);
constexpr double kRadius = 4.5;
}  // namespace

ScatterPlot::ScatterPlot(const QString& accessibleName, QWidget* parent)
    : SweepPlot(accessibleName, {200_px, 140_px}, parent) {}

void ScatterPlot::setSweep(const Sweep& sweep) {
    sweep_ = sweep;
    hovered_ = -1;
    setAxes(x_, y_, color_);
}

void ScatterPlot::setAxes(int x, int y, int color) {
    const int last = static_cast<int>(sweep_.axes.size()) - 1;
    x_ = std::clamp(x, 0, std::max(0, last));
    y_ = std::clamp(y, 0, std::max(0, last));
    color_ = color > last ? -1 : color;
    count();
    update();
}

void ScatterPlot::count() {
    left_out_ = 0;
    if (sweep_.axes.isEmpty())
        return;
    x_range_ = sweep_range(sweep_, x_);
    y_range_ = sweep_range(sweep_, y_);
    color_range_ = color_ >= 0 ? sweep_range(sweep_, color_) : XRange{};
    for (int run = 0; run < sweep_.runs.size(); ++run)
        left_out_ += std::isnan(positionOf(run).x());
    setAccessibleDescription(tr("%Ln runs, %1 against %2", nullptr, static_cast<int>(sweep_.runs.size()) - left_out_)
                                 .arg(sweep_.axes[y_].name, sweep_.axes[x_].name));
}

PlotFrame ScatterPlot::frame() const {
    const int right = color_ >= 0 ? kScale : kScatterRight;
    return {QRect(kScatterLeft, kScatterTop, std::max(10_px, width() - kScatterLeft - right),
                  std::max(10_px, height() - kScatterTop - kScatterBottom)),
            x_range_, y_range_, sweep_.axes[x_].log, sweep_.axes[y_].log};
}

QPointF ScatterPlot::positionOf(int run) const {
    const QVector<double>& values = sweep_.runs[run].values;
    if (!sweep_place(sweep_.axes[x_], x_range_, values[x_]) || !sweep_place(sweep_.axes[y_], y_range_, values[y_]))
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    return frame().pixelOf({values[x_], values[y_]});
}

void ScatterPlot::select(const QSet<QString>& ids) {
    if (ids == selected_)
        return;
    selected_ = ids;
    update();
    emit selectionChanged(selected_);
}

void ScatterPlot::draw(QPainter& painter, const Look& look) {
    const Theme& theme = Theme::instance();
    const PlotFrame at = frame();
    paint_axis(
        painter, AxisEdge::Bottom, at.area,
        sweep_ticks(sweep_.axes[x_], x_range_, std::max(2, at.area.width() / 84_px)),
        [&](double value) { return at.pixelOfX(value); }, look);
    paint_axis(
        painter, AxisEdge::Left, at.area, sweep_ticks(sweep_.axes[y_], y_range_, std::max(2, at.area.height() / 40_px)),
        [&](double value) { return at.pixelOfY(value); }, look);
    painter.setPen(QPen(look.color(Token::LineControl), 1));
    painter.drawLine(at.area.bottomLeft(), at.area.bottomRight());
    painter.setFont(theme.text(12, QFont::DemiBold));
    painter.setPen(look.color(Token::TextSecondary));
    // The names of the axes are at their upper ends, which are not mirrored.
    const auto draw_name = [&](const QRect& where, Qt::Alignment side, int axis) {
        painter.drawText(where, side | Qt::AlignAbsolute | Qt::AlignVCenter,
                         elided_text(painter.fontMetrics(), sweep_.axes[axis].name, Qt::ElideMiddle, where.width()));
    };
    draw_name(QRect(12_px, 4_px, at.area.right() - 12_px, 18_px), Qt::AlignLeft, y_);
    const QRect foot(at.area.left(), height() - 19_px, at.area.width(), 16_px);
    const QString left_out = left_out_ > 0 ? tr("not shown here: %1").arg(left_out_) : QString();
    const int used = left_out.isEmpty() ? 0 : QFontMetrics(theme.text(11)).horizontalAdvance(left_out) + 12;
    draw_name(foot.adjusted(std::min(used, foot.width() - 40_px), 0, 0, 0), Qt::AlignRight, x_);
    draw_text(painter, theme.text(11), look.color(Token::Warn), foot, left_out,
              Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter);
    if (color_ >= 0) {
        const QRectF bar(at.area.right() + 14, at.area.top() + 18, 10, at.area.height() - 18);
        for (int y = 0; y < static_cast<int>(bar.height()); ++y)
            painter.fillRect(QRectF(bar.left(), bar.bottom() - y - 1, bar.width(), 1.5),
                             sweep_heat(y / bar.height(), look));
        painter.setFont(theme.text(11));
        painter.setPen(look.color(Token::TextSecondary));
        painter.drawText(QRectF(bar.left() - 10_px, at.area.top() - 6_px, kScale - 6_px, 16_px),
                         Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter,
                         elided_text(painter.fontMetrics(), sweep_.axes[color_].name, Qt::ElideMiddle, kScale - 8_px));
        painter.setFont(theme.mono(11));
        painter.setPen(look.color(Token::TextMuted));
        for (const AxisTick& tick : sweep_ticks(sweep_.axes[color_], color_range_, 4))
            if (const std::optional<double> share = sweep_place(sweep_.axes[color_], color_range_, tick.at))
                painter.drawText(
                    QRectF(bar.right() + 5_px, bar.bottom() - *share * bar.height() - 8_px, kScale - 30_px, 16_px),
                    Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter, tick.text);
    }
    for (int pass = 0; pass < 2; ++pass)
        for (int run = 0; run < sweep_.runs.size(); ++run) {
            const bool strong = run == hovered_ || selected_.contains(sweep_.runs[run].id);
            const QPointF point = positionOf(run);
            if (std::isnan(point.x()) || strong != (pass == 1))
                continue;
            const bool pale = !selected_.isEmpty() && !strong;
            const QColor color = colorOf(run, look);
            painter.setPen(QPen(strong ? look.color(Token::Text) : look.color(Token::BgPanel), strong ? 2 : 1));
            painter.setBrush(pale ? mixed(color, look.color(Token::BgPanel), 0.35) : color);
            painter.drawEllipse(point, run == hovered_ ? kRadius + 1.5 : kRadius,
                                run == hovered_ ? kRadius + 1.5 : kRadius);
        }
    if (dragging_) {
        QColor fill = look.color(Token::Accent);
        painter.setPen(QPen(fill, 1));
        fill.setAlphaF(0.15F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(QRect(press_, drag_).normalized() & at.area).adjusted(0.5, 0.5, -0.5, -0.5));
    } else if (hovered_ >= 0) {
        QVector<int> axes{x_, y_};
        if (color_ >= 0)
            axes.append(color_);
        drawValues(painter, look, positionOf(hovered_), axes);
    }
}

int ScatterPlot::runAt(const QPointF& position) const {
    int nearest = -1;
    double distance = kPointReach;
    if (sweep_.axes.isEmpty())
        return -1;
    for (int run = 0; run < sweep_.runs.size(); ++run) {
        const QPointF point = positionOf(run);
        const double away = std::hypot(point.x() - position.x(), point.y() - position.y());
        if (away <= distance) {
            distance = away;
            nearest = run;
        }
    }
    return nearest;
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
    press_ = drag_ = event->pos();
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        drag_ = event->pos();
        dragging_ = dragging_ || (drag_ - press_).manhattanLength() > 5;
        update();
        return;
    }
    hover(runAt(event->position()));
}

void ScatterPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || sweep_.axes.isEmpty())
        return;
    QSet<QString> chosen;
    const bool more = event->modifiers().testFlag(Qt::ControlModifier);
    if (more)
        chosen = selected_;
    if (dragging_) {
        const QRectF box = QRectF(QRect(press_, event->pos()).normalized());
        for (int run = 0; run < sweep_.runs.size(); ++run)
            // QRectF::contains() is true for NaN.
            if (const QPointF point = positionOf(run); !std::isnan(point.x()) && box.contains(point))
                chosen.insert(sweep_.runs[run].id);
    } else if (const int run = runAt(event->position()); run >= 0) {
        if (!more || !chosen.remove(sweep_.runs[run].id))
            chosen.insert(sweep_.runs[run].id);
    }
    dragging_ = false;
    update();
    select(chosen);
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
    if (sweep_.axes.isEmpty() || sweep_.runs.isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_L:
            sweep_.axes[event->modifiers().testFlag(Qt::ShiftModifier) ? x_ : y_].toggleLog();
            count();
            update();
            break;
        case Qt::Key_Left:
        case Qt::Key_Right: {
            // Moves from point to point along the axis.
            QVector<std::pair<double, int>> order;
            for (int run = 0; run < sweep_.runs.size(); ++run)
                if (const QPointF point = positionOf(run); !std::isnan(point.x()))
                    order.append({point.x(), run});
            std::stable_sort(order.begin(), order.end());
            if (order.isEmpty())
                break;
            qsizetype at = -1;
            for (qsizetype i = 0; i < order.size(); ++i)
                if (order[i].second == hovered_)
                    at = i;
            const int step = event->key() == Qt::Key_Left ? -1 : 1;
            hover(order[at < 0 ? 0 : std::clamp<qsizetype>(at + step, 0, order.size() - 1)].second);
            setAccessibleDescription(tr("%1: %2 %3, %4 %5")
                                         .arg(sweep_.runs[hovered_].name, sweep_.axes[x_].name,
                                              sweep_words(sweep_.axes[x_], sweep_.runs[hovered_].values[x_]),
                                              sweep_.axes[y_].name,
                                              sweep_words(sweep_.axes[y_], sweep_.runs[hovered_].values[y_])));
            break;
        }
        case Qt::Key_Space:
            if (hovered_ >= 0) {
                QSet<QString> chosen = selected_;
                if (!chosen.remove(sweep_.runs[hovered_].id))
                    chosen.insert(sweep_.runs[hovered_].id);
                select(chosen);
            }
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (hovered_ >= 0)
                emit activated(sweep_.runs[hovered_].id);
            break;
        case Qt::Key_Escape:
            if (selected_.isEmpty()) {
                QWidget::keyPressEvent(event);
                break;
            }
            select({});
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace trainyard::widgets
