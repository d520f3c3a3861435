#include "widgets/plot/chart_overlay.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "widgets/plot/number_text.h"
#include "widgets/plot/plot_canvas.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr double kStackRoom = 20;  // pixels between markers that stand alone
constexpr int kRowHeight = 18;
constexpr int kTablePadding = 10;
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
            seen.append({chart_->canvas_->pixelOfX(x), &marker});
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
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    paintMarkers(painter);
    paintNotFinite(painter);
    if (chart_->drag_ == CurveChart::Drag::Select) {
        const QRect area = chart_->canvas_->plotArea();
        QRect chosen = QRect(chart_->drag_from_, chart_->drag_to_).normalized();
        if (chosen.height() < 24) {
            chosen.setTop(area.top());
            chosen.setBottom(area.bottom());
        }
        chosen &= area;
        QColor fill = theme.color(Token::Accent);
        painter.setPen(QPen(fill, 1));
        fill.setAlphaF(0.15F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(chosen).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintCrosshair(painter);
    if (chart_->hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Token::Accent), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
}

void ChartOverlay::paintMarkers(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const QRect area = chart_->canvas_->plotArea();
    for (const Stack& stack : stacks()) {
        // The gravest of a stack gives the picture: later in the list of events stands for nothing.
        const Marker* shown = stack.markers.first();
        for (const Marker* marker : stack.markers)
            if (marker->color == Token::Error || (marker->color == Token::Warn && shown->color != Token::Error))
                shown = marker;
        const QColor color = theme.color(shown->color);
        painter.setPen(QPen(mixed(color, theme.color(Token::BgPanel), 0.7), 1, Qt::DashLine));
        painter.drawLine(QPointF(stack.x, 22), QPointF(stack.x, area.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(shown->color == Token::TextSecondary ? theme.color(Token::BgHover) : theme.tint(shown->color));
        const bool several = stack.markers.size() > 1;
        QRectF box = stack.icon();
        QString count;
        if (several) {
            count = QString::number(stack.markers.size());
            painter.setFont(theme.mono(10));
            box.setRight(box.right() + painter.fontMetrics().horizontalAdvance(count) + 3);
        }
        painter.drawRoundedRect(box, 4, 4);
        painter.drawPixmap(QPointF(box.left() + 2, box.top() + 2),
                           theme.pixmap(shown->icon, color, 12, devicePixelRatioF()));
        if (several) {
            painter.setPen(color);
            painter.drawText(box.adjusted(15, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, count);
        }
    }
}

void ChartOverlay::paintNotFinite(QPainter& painter) const {
    const ChartView& view = chart_->view_;
    const QRect area = chart_->canvas_->plotArea();
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(Token::Error));
    for (const Curve& curve : chart_->curves_) {
        const Series& series = *curve.series;
        const std::vector<std::uint32_t>& marks = series.notFinite();
        auto at = std::lower_bound(marks.begin(), marks.end(), series.lowerBound(view.x.lower, view.scale));
        while (at != marks.end()) {
            const double x = series.x(*at, view.scale);
            if (x > view.x.upper)
                break;
            const double pixel = chart_->canvas_->pixelOfX(x);
            QPainterPath mark;
            mark.moveTo(pixel - 4, area.top());
            mark.lineTo(pixel + 4, area.top());
            mark.lineTo(pixel, area.top() + 6);
            painter.drawPath(mark);
            // One mark a few pixels: the rest of them would cover it.
            at = std::lower_bound(at + 1, marks.end(), series.lowerBound(chart_->canvas_->xAt(pixel + 3), view.scale));
        }
    }
}

void ChartOverlay::paintCrosshair(QPainter& painter) const {
    const ChartView& view = chart_->view_;
    if (std::isnan(view.crosshair) || view.crosshair < view.x.lower || view.crosshair > view.x.upper)
        return;
    const Theme& theme = Theme::instance();
    const QRect area = chart_->canvas_->plotArea();
    const double x = chart_->canvas_->pixelOfX(view.crosshair);
    painter.setPen(QPen(theme.color(Token::Text), 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QVector<CurveChart::Row> rows = chart_->rowsAtCrosshair();
    for (const CurveChart::Row& row : rows) {
        if (!std::isfinite(row.y) || row.y < view.y.lower || row.y > view.y.upper)
            continue;
        painter.setPen(QPen(theme.color(Token::BgPanel), 1.5));
        painter.setBrush(theme.runColor(row.color));
        painter.drawEllipse(QPointF(x, chart_->canvas_->pixelOfY(row.y)), 4, 4);
    }
    if (!chart_->dense_ && !rows.isEmpty() && chart_->drag_ == CurveChart::Drag::None)
        paintTable(painter, rows);
}

void ChartOverlay::paintTable(QPainter& painter, const QVector<CurveChart::Row>& rows) const {
    const Theme& theme = Theme::instance();
    const ChartView& view = chart_->view_;
    const QFont words = theme.text(12);
    const QFont numbers = theme.mono(12);
    const QFontMetrics word_size(words);
    const QFontMetrics number_size(numbers);

    const QString where = position_text(view.crosshair, view.scale.unit);
    QString beside;
    if (const Series& first = *chart_->curves_.first().series; !first.empty()) {
        const std::size_t at = first.nearest(view.crosshair, view.scale);
        XScale other = view.scale;
        QStringList parts;
        for (XUnit unit : {XUnit::Step, XUnit::Time, XUnit::Tokens}) {
            other.unit = unit;
            if (unit != view.scale.unit && (unit != XUnit::Tokens || other.tokens_per_step > 1))
                parts << position_text(first.x(at, other), unit);
        }
        beside = parts.join(QStringLiteral(" · "));
    }
    int width = number_size.horizontalAdvance(where) + 24 + number_size.horizontalAdvance(beside);
    for (const CurveChart::Row& row : rows)
        width =
            std::max(width, 18 + word_size.horizontalAdvance(row.name) + 24 + number_size.horizontalAdvance(row.value));
    width += 2 * kTablePadding;
    const int height = 2 * kTablePadding - 4 + kRowHeight * static_cast<int>(rows.size() + 1);
    const QRect area = chart_->canvas_->plotArea();
    const double x = chart_->canvas_->pixelOfX(view.crosshair);
    double left = x + 14;
    if (left + width > area.right())
        left = x - 14 - width;
    left = std::max(left, static_cast<double>(area.left()));
    const QRectF box(std::round(left) + 0.5, area.top() + 10.5, width, height);
    painter.setPen(QPen(theme.color(Token::LineControl), 1));
    painter.setBrush(theme.color(Token::BgRaised));
    painter.drawRoundedRect(box, 6, 6);

    QRectF line = box.adjusted(kTablePadding, kTablePadding - 2, -kTablePadding, 0);
    line.setHeight(kRowHeight);
    painter.setFont(view.scale.unit == XUnit::Step ? words : numbers);
    painter.setPen(theme.color(Token::TextSecondary));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, where);
    painter.setFont(numbers);
    painter.setPen(theme.color(Token::Text));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, beside);
    for (const CurveChart::Row& row : rows) {
        line.translate(0, kRowHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.runColor(row.color));
        painter.drawRoundedRect(QRectF(line.left(), line.center().y() - 4, 8, 8), 2, 2);
        painter.setFont(words);
        painter.setPen(theme.color(Token::Text));
        painter.drawText(line.adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setFont(numbers);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

}  // namespace trainyard::widgets
