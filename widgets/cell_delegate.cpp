#include "widgets/cell_delegate.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr int kPadding = 12;
constexpr int kSwatch = 8;
constexpr int kBar = 40;
}  // namespace

void paint_bar(QPainter& painter, const QRectF& rect, double share, const QColor& color) {
    Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::BgHover));
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    const double width = std::clamp(share, 0.0, 1.0) * rect.width();
    if (width < 0.5)
        return;
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(rect.left(), rect.top(), std::max(width, rect.height()), rect.height()),
                            rect.height() / 2, rect.height() / 2);
}

void paint_spark(QPainter& painter, const QRectF& rect, const QPolygonF& points, const QColor& color) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const QPointF& point : points) {
        if (!std::isfinite(point.y()))
            continue;
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    if (!std::isfinite(low))
        return;
    const double span = high > low ? high - low : 1;
    QPolygonF line;
    line.reserve(points.size());
    for (const QPointF& point : points)
        if (std::isfinite(point.y()))
            line << QPointF(rect.left() + point.x() * rect.width(),
                            rect.bottom() - (point.y() - low) / span * rect.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    Theme& theme = Theme::instance();
    const Cell cell = index.data(CellRole).value<Cell>();
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    if (selected || hover)
        painter->fillRect(option.rect, theme.color(selected ? Token::BgSelected : Token::BgHover));
    painter->setPen(QPen(theme.color(Token::Line), 0));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    QRect area = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const QColor run = cell.run_number > 0 ? theme.runColor(cell.run_number) : theme.color(Token::AccentFill);
    if (cell.swatch) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(run);
        painter->drawRoundedRect(QRectF(area.left(), area.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch), 2, 2);
        area.setLeft(area.left() + kSwatch + 8);
    }
    if (!cell.chip.text.isEmpty()) {
        paint_chip(*painter, area, cell.chip);
        area.setLeft(area.left() + chip_size(cell.chip).width() + 8);
    }
    if (cell.progress) {
        const QRectF bar(area.left(), area.center().y() - 1.5, kBar, 4);
        if (bar.right() < option.rect.right())
            paint_bar(*painter, bar, *cell.progress, run);
        area.setLeft(area.left() + kBar + 6);
        painter->setFont(theme.mono(11));
        painter->setPen(theme.color(Token::TextSecondary));
        const QString percent = QStringLiteral("%1 %").arg(static_cast<int>(*cell.progress * 100));
        if (painter->fontMetrics().horizontalAdvance(percent) <= area.width())
            painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, percent);
    } else if (!cell.spark.isEmpty()) {
        paint_spark(*painter, QRectF(area).adjusted(0, 9, 0, -9), cell.spark, run);
    } else if (cell.chip.text.isEmpty()) {
        painter->setFont(cell.mono ? theme.mono(12) : theme.text(13, cell.strong ? QFont::DemiBold : QFont::Normal));
        painter->setPen(theme.color(cell.ink));
        painter->drawText(area, cell.alignment | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(cell.text, Qt::ElideRight, area.width()));
    }
    // The row, not the cell, has the focus: the ring opens at its ends.
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(theme.color(Token::Accent), 2));
        painter->drawLine(option.rect.topLeft() + QPoint(1, 1), option.rect.bottomLeft() + QPoint(1, -1));
    }
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Cell cell = index.data(CellRole).value<Cell>();
    const QFont font = cell.mono ? Theme::instance().mono(12) : Theme::instance().text(13);
    return {QFontMetrics(font).horizontalAdvance(cell.text) + 2 * kPadding + (cell.swatch ? kSwatch + 8 : 0),
            std::max(30, option.rect.height())};
}

}  // namespace trainyard::widgets
