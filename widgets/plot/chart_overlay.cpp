// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_overlay.h"

#include <algorithm>
#include <cmath>

#include <QPaintEngine>
#include <QPainterPath>

#include "widgets/paint.h"
#include "widgets/plain_text.h"
#include "widgets/plot/curve_plottable.h"
#include "widgets/plot/number_text.h"
#include "widgets/plot/text_box.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
const double& kStackRoom = live_px(20.0);  // pixels between markers that stand alone
constexpr int kTableRows = 14;

/// Pixels an icon is made of: more on paper, where nobody knows how large it will be.
double sharpness(const QPainter& painter) {
    const QPaintEngine::Type kind = painter.paintEngine()->type();
    return kind == QPaintEngine::SVG || kind == QPaintEngine::Pdf
               ? 4
               : std::max(1.0, painter.device()->devicePixelRatioF());
}
}  // namespace

ChartOverlay::ChartOverlay(CurveChart* chart) : QWidget(chart), chart_(chart) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

QVector<ChartOverlay::Stack> ChartOverlay::stacks() const {
    QVector<Stack> found;
    if (chart_->dense_)
        return found;
    QVector<std::pair<double, const Marker*>> seen;
    const ChartView& view = chart_->view_;
    for (const Marker& marker : chart_->markers_) {
        const double x = marker_x(marker, view.scale);
        if (x >= view.x.lower && x <= view.x.upper)
            seen.append({chart_->frame().pixelOfX(x), &marker});
    }
    std::stable_sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [x, marker] : seen) {
        if (found.isEmpty() || x - found.last().x >= kStackRoom)
            found.append(Stack{x, {}});
        found.last().markers.append(marker);
    }
    return found;
}

const Marker* ChartOverlay::markerAt(const QPoint& position) const {
    for (const Stack& stack : stacks())
        if (stack.icon().adjusted(-3, -3, 3, 3).contains(position))
            return stack.markers.first();
    return nullptr;
}

QString ChartOverlay::markerWords(const QPoint& position) const {
    QStringList words;
    for (const Stack& stack : stacks()) {
        if (!stack.icon().adjusted(-3, -3, 3, 3).contains(position))
            continue;
        for (const Marker* marker : stack.markers) {
            if (words.size() == 8) {
                words << tr("and %1 more").arg(stack.markers.size() - 8);
                break;
            }
            words << marker->text;
        }
    }
    return words.join(QLatin1Char('\n'));
}

void ChartOverlay::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Look look = screen_look();
    if (chart_->hovered_ >= 0 && chart_->hovered_ < chart_->curves_.size() && chart_->curves_[chart_->hovered_].visible)
        chart_->plottable_->picture().paintThick(painter, chart_->curves_[chart_->hovered_], chart_->view_,
                                                 chart_->frame(), look);
    paintKept(painter, look);
    paintSelection(painter);
    paintPins(painter);
    paintCrosshair(painter);
    if (!chart_->dense_) {
        paintMeasure(painter);
        paintTable(painter);
    }
    if (chart_->hasFocus())
        draw_ring(painter, rect(), 6);
}

void ChartOverlay::paintKept(QPainter& painter, const Look& look) const {
    paintMarkers(painter, look);
    paintNotFinite(painter, look);
    paintRemarks(painter, look);
}

void ChartOverlay::paintMarkers(QPainter& painter, const Look& look) const {
    const Theme& theme = Theme::instance();
    const QRect area = chart_->frame().area;
    for (const Stack& stack : stacks()) {
        // The gravest of a stack gives the picture: later in the list of events stands for nothing.
        const Marker* shown = stack.markers.first();
        for (const Marker* marker : stack.markers)
            if (marker->color == Token::Error || (marker->color == Token::Warn && shown->color != Token::Error))
                shown = marker;
        const QColor color = look.color(shown->color);
        painter.setPen(QPen(mixed(color, look.color(Token::BgPanel), 0.7), 1, Qt::DashLine));
        painter.drawLine(QPointF(stack.x, stack.icon().bottom() + 2), QPointF(stack.x, area.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(shown->color == Token::TextSecondary
                             ? look.color(Token::BgHover)
                             : mixed(color, look.color(Token::BgPanel), look.dark ? 0.15 : 0.10));
        const bool several = stack.markers.size() > 1;
        QRectF box = stack.icon();
        QString count;
        const bool mirrored = painter.layoutDirection() == Qt::RightToLeft;
        if (several) {
            count = QString::number(stack.markers.size());
            painter.setFont(theme.mono(10));
            const int wide = painter.fontMetrics().horizontalAdvance(count) + 3;
            box.adjust(mirrored ? -wide : 0, 0, mirrored ? 0 : wide, 0);
        }
        painter.drawRoundedRect(box, 4, 4);
        painter.drawPixmap(stack.icon().topLeft() + QPointF(2.0_px, 2.0_px),
                           theme.pixmap(shown->icon, color, 12_px, sharpness(painter)));
        if (several) {
            painter.setPen(color);
            painter.drawText(mirrored ? box.adjusted(0, 0, -15_px, 0) : box.adjusted(15_px, 0, 0, 0),
                             Qt::AlignVCenter | Qt::AlignLeft, count);
        }
    }
}

void ChartOverlay::paintNotFinite(QPainter& painter, const Look& look) const {
    const ChartView& view = chart_->view_;
    const PlotFrame& frame = chart_->frame();
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color(Token::Error));
    for (const Curve& curve : chart_->curves_) {
        const std::vector<std::uint32_t>& marks = curve.series->notFinite();
        if (!curve.visible || marks.empty())
            continue;
        const Series& series = *curve.series;
        const XScale scale = scale_of(curve, view);
        auto at = std::lower_bound(marks.begin(), marks.end(), series.lowerBound(view.x.lower, scale));
        while (at != marks.end()) {
            const double x = series.x(*at, scale);
            if (x > view.x.upper)
                break;
            const double pixel = frame.pixelOfX(x);
            QPainterPath mark;
            mark.moveTo(pixel - 4, frame.area.top());
            mark.lineTo(pixel + 4, frame.area.top());
            mark.lineTo(pixel, frame.area.top() + 6);
            painter.drawPath(mark);
            // One mark a few pixels: the rest of them would cover it.
            at = std::lower_bound(at + 1, marks.end(), series.lowerBound(frame.xAt(pixel + 3), scale));
        }
    }
}

void ChartOverlay::paintRemarks(QPainter& painter, const Look& look) const {
    if (chart_->remarks_.isEmpty())
        return;
    const QRect area = chart_->frame().area;
    painter.setFont(Theme::instance().text(11));
    const QString words = elided_text(painter.fontMetrics(), chart_->remarks_.join(QStringLiteral(" · ")),
                                      Qt::ElideRight, std::max(20_px, area.width() - 20_px));
    const int wide = painter.fontMetrics().horizontalAdvance(words) + 10_px;
    // At the end of a line of reading.
    const QRectF box(painter.layoutDirection() == Qt::RightToLeft ? area.left() + 4 : area.right() - wide - 4,
                     area.bottom() - 24_px, wide, 18_px);
    QColor under = look.color(Token::BgPanel);
    under.setAlphaF(0.85F);
    fill_box(painter, box, 4, under);
    painter.setPen(look.color(Token::Warn));
    painter.drawText(box, Qt::AlignCenter, words);
}

void ChartOverlay::paintSelection(QPainter& painter) const {
    const QRect chosen = chart_->zoom_->selection();
    if (chosen.isEmpty())
        return;
    QColor fill = Theme::instance().color(Token::Accent);
    painter.setPen(QPen(fill, 1));
    fill.setAlphaF(0.15F);
    painter.setBrush(fill);
    painter.drawRect(QRectF(chosen).adjusted(0.5, 0.5, -0.5, -0.5));
}

void ChartOverlay::paintPins(QPainter& painter) const {
    const Look look = screen_look();
    const PlotFrame& frame = chart_->frame();
    const QRect area = frame.area;
    for (int i = 0; i < chart_->pins().size(); ++i) {
        const double at = chart_->pins()[i];
        if (at < frame.x.lower || at > frame.x.upper)
            continue;
        const double x = frame.pixelOfX(at);
        painter.setPen(QPen(look.color(Token::Accent), 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const QRectF flag(x, area.bottom() - 15, 14, 15);
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.color(Token::AccentFill));
        painter.drawRect(flag);
        draw_text(painter, Theme::instance().text(11, QFont::DemiBold), look.color(Token::OnAccent), flag,
                  QString(QLatin1Char(static_cast<char>('A' + i))), Qt::AlignCenter);
    }
}

void ChartOverlay::paintMeasure(QPainter& painter) const {
    if (chart_->pins().size() < 2)
        return;
    const Look look = screen_look();
    const QRect area = chart_->frame().area;
    const ChartCrosshair::Measure measure = chart_->crosshair().measure();
    TextBox box;
    box.left = QStringLiteral("A → B");
    box.right = measure.distance;
    for (const ChartCrosshair::Row& row : measure.rows)
        box.rows.append({look.run(row.color), row.name, row.value, false});
    const QSizeF size = box.size();
    const double left = isRightToLeft() ? area.right() - 8_px - size.width() : area.left() + 8_px;
    box.paint(painter, QPointF(left, area.bottom() - size.height() - 22_px), look);
}

void ChartOverlay::paintCrosshair(QPainter& painter) const {
    const ChartView& view = chart_->view_;
    if (std::isnan(view.crosshair) || view.crosshair < view.x.lower || view.crosshair > view.x.upper)
        return;
    const Look look = screen_look();
    const PlotFrame& frame = chart_->frame();
    const double x = frame.pixelOfX(view.crosshair);
    painter.setPen(QPen(look.color(Token::Text), 1));
    painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()));
    for (const ChartCrosshair::Row& row : chart_->crosshair().rows(kTableRows)) {
        const Curve& curve = chart_->curves_[row.curve];
        if (const XRange& y = y_of(curve, view); !std::isfinite(row.y) || row.y < y.lower || row.y > y.upper)
            continue;
        painter.setPen(QPen(look.color(Token::BgPanel), 1.5));
        painter.setBrush(look.run(row.color));
        if (const double dot = frame.pixelOfX(row.x); dot >= frame.area.left() && dot <= frame.area.right())
            painter.drawEllipse(QPointF(dot, frame.side(curve.right).pixelOfY(row.y)), 4.5, 4.5);
    }
}

void ChartOverlay::paintTable(QPainter& painter) const {
    const Look look = screen_look();
    const ChartView& view = chart_->view_;
    if (std::isnan(view.crosshair) || view.crosshair < view.x.lower || view.crosshair > view.x.upper)
        return;
    const PlotFrame& frame = chart_->frame();
    int rest = 0;
    const int room = std::max(3, (frame.area.height() - 60) / TextBox::kRowHeight);
    const QVector<ChartCrosshair::Row> rows = chart_->crosshair().rows(std::min(kTableRows, room), &rest);
    if (rows.isEmpty())
        return;
    TextBox box;
    box.left = position_text(view.crosshair, view.scale.unit);
    const Curve& first = chart_->curves_[rows.first().curve];
    XScale scale = scale_of(first, view);
    const std::size_t at = first.series->nearest(view.crosshair, scale);
    QStringList beside;
    for (XUnit unit : {XUnit::Step, XUnit::Time, XUnit::Tokens}) {
        scale.unit = unit;
        scale.shift = 0;
        if (view.scale.unit != XUnit::Value && unit != view.scale.unit &&
            (unit != XUnit::Tokens || scale.tokens_per_step > 1))
            beside << position_text(first.series->x(at, scale), unit);
    }
    box.right = beside.join(QStringLiteral(" · "));
    for (const ChartCrosshair::Row& row : rows)
        box.rows.append({look.run(row.color), row.name, row.value, row.curve == chart_->hovered_});
    if (rest > 0)
        box.footer = tr("and %Ln more", nullptr, rest);
    const QRectF inside(frame.area.left(), frame.area.top() + 10, frame.area.width(), height());
    box.paint(painter, box.beside({frame.pixelOfX(view.crosshair), inside.top()}, inside, layoutDirection()), look);
}

}  // namespace trainyard::widgets
