// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/text_box.h"

#include <algorithm>
#include <cmath>

#include <QFontMetrics>

#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::widgets {

namespace {
const int& kPadding = live_px(10);
const int& kLongestRowName = live_px(320);  // pixels; longer names are elided in the middle
const int& kColumnGap = live_px(24);
const int& kAside = live_px(14);  // pixels between the box and its point
}  // namespace

QSizeF TextBox::size() const {
    const Theme& theme = Theme::instance();
    const QFontMetrics words(theme.text(12)), strong(theme.text(12, QFont::DemiBold)), numbers(theme.mono(12));
    int width = numbers.horizontalAdvance(left) + (right.isEmpty() ? 0 : kColumnGap + numbers.horizontalAdvance(right));
    for (const Row& row : rows)
        width = std::max(width,
                         18_px + std::min(kLongestRowName, (row.strong ? strong : words).horizontalAdvance(row.name)) +
                             kColumnGap + numbers.horizontalAdvance(row.value));
    if (!footer.isEmpty())
        width = std::max(width, words.horizontalAdvance(footer));
    const auto lines = rows.size() + (left.isEmpty() && right.isEmpty() ? 0 : 1) + (footer.isEmpty() ? 0 : 1);
    return QSizeF(width + 2 * kPadding, 2 * kPadding - 4 + kRowHeight * static_cast<double>(lines));
}

QPointF TextBox::beside(const QPointF& at, const QRectF& inside, Qt::LayoutDirection direction) const {
    const QSizeF own = size();
    const double behind = at.x() + kAside, before = at.x() - kAside - own.width();
    const bool at_left = direction == Qt::RightToLeft ? before >= inside.left() : behind + own.width() > inside.right();
    return {std::clamp(at_left ? before : behind, inside.left(), std::max(inside.left(), inside.right() - own.width())),
            std::clamp(at.y(), inside.top(), std::max(inside.top(), inside.bottom() - own.height()))};
}

void TextBox::paint(QPainter& painter, const QPointF& corner, const Look& look) const {
    const Theme& theme = Theme::instance();
    // drawText() mirrors left and right itself.
    const bool mirrored = painter.layoutDirection() == Qt::RightToLeft;
    const QRectF box(QPointF(std::round(corner.x()) + 0.5, std::round(corner.y()) + 0.5), size());
    painter.setPen(QPen(look.color(Token::LineControl), 1));
    painter.setBrush(look.color(Token::BgRaised));
    painter.drawRoundedRect(box, 6, 6);
    QRectF line = box.adjusted(kPadding, kPadding - 2, -kPadding, 0);
    line.setHeight(kRowHeight);
    if (!left.isEmpty() || !right.isEmpty()) {
        draw_text(painter, theme.mono(12), look.color(Token::TextSecondary), line, left);
        painter.setPen(look.color(Token::Text));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
        line.translate(0, kRowHeight);
    }
    for (const Row& row : rows) {
        fill_box(painter, QRectF(mirrored ? line.right() - 8_px : line.left(), line.center().y() - 4_px, 8_px, 8_px), 2,
                 row.color);
        painter.setFont(theme.text(12, row.strong ? QFont::DemiBold : QFont::Normal));
        painter.setPen(look.color(Token::Text));
        painter.drawText(mirrored ? line.adjusted(0, 0, -16_px, 0) : line.adjusted(16_px, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         elided_text(painter.fontMetrics(), row.name, Qt::ElideMiddle, kLongestRowName));
        painter.setFont(theme.mono(12));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, visible_text(row.value));
        line.translate(0, kRowHeight);
    }
    if (!footer.isEmpty()) {
        draw_text(painter, theme.text(12), look.color(Token::TextMuted), line, footer);
    }
}

}  // namespace trainyard::widgets
