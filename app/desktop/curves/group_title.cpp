// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/group_title.h"

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

GroupTitle::GroupTitle(QWidget* parent) : PaintedButton(parent) {}

void GroupTitle::setSection(const QString& id, const QString& title, const QString& count, bool folded) {
    id_ = id;
    count_ = count;
    folded_ = folded;
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(folded ? tr("%1, folded").arg(count) : count);
    setToolTip(folded ? tr("Unfold") : tr("Fold"));
    update();
}

void GroupTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    const int middle = height() / 2;
    const QPixmap chevron = Theme::instance().pixmap(folded_ ? QStringLiteral("right") : QStringLiteral("down"),
                                                     Token::TextSecondary, 14, devicePixelRatioF());
    painter.drawPixmap(QPoint(2, middle - 7), chevron);
    painter.setFont(theme.text(13, QFont::DemiBold));
    painter.setPen(theme.color(Token::Text));
    const QFontMetrics words(painter.font());
    const int room = std::max(40_px, width() - 22_px - 90_px);
    const QString title = widgets::elided_text(words, text(), Qt::ElideMiddle, room);
    painter.drawText(QRect(22_px, 0, room, height()), Qt::AlignVCenter | Qt::AlignLeft, title);
    const int end = 22_px + words.horizontalAdvance(title) + 8_px;
    draw_text(painter, theme.mono(11), Token::TextMuted, QRect(end, 0, width() - end, height()), count_);
    const int line = end + QFontMetrics(painter.font()).horizontalAdvance(count_) + 12_px;
    painter.setPen(theme.color(Token::Line));
    if (line < width())
        painter.drawLine(line, middle, width(), middle);
    if (hasFocus())
        draw_ring(painter, rect().adjusted(0, 2, 0, -2), 5);
}

}  // namespace trainyard::desktop
