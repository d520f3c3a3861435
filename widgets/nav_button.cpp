// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/nav_button.h"

#include <QStyle>

#include "widgets/local_text.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

NavButton::NavButton(const QString& text, const QString& icon, QWidget* parent)
    : PaintedButton(parent), icon_name_(icon) {
    setText(text);
    setCheckable(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void NavButton::setCount(const QString& count) {
    count_ = count;
    describe();
    update();
}

void NavButton::setBadge(int badge) {
    badge_ = badge;
    describe();
    update();
}

void NavButton::setFolded(bool folded) {
    folded_ = folded;
    setToolTip(folded ? text() : QString());
    update();
}

void NavButton::describe() {
    QString name = count_.isEmpty() ? text() : list_text({text(), count_});
    if (badge_ > 0)
        name += tr(", %Ln unread", nullptr, badge_);
    setAccessibleName(name);
}

void NavButton::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const bool on = isChecked();
    if (on || underMouse()) {
        fill_box(painter, rect(), 6, theme.color(on ? Token::BgSelected : Token::BgHover));
    }
    if (hasFocus())
        draw_ring(painter, rect(), 6);
    const auto placed = [this](const QRect& place) { return QStyle::visualRect(layoutDirection(), rect(), place); };
    const int icon_left = placed(QRect(folded_ ? (width() - 16_px) / 2 : 10_px, 0, 16_px, 16_px)).left();
    painter.drawPixmap(icon_left, (height() - 16_px) / 2,
                       theme.pixmap(icon_name_, on ? Token::Accent : Token::TextSecondary, 16_px, devicePixelRatioF()));
    if (folded_) {
        if (badge_ > 0) {
            fill_disc(painter, QRectF(icon_left + 12.5, height() / 2.0 - 10.5, 7_px, 7_px), theme.color(Token::Accent));
        }
        return;
    }
    QRect area = rect().adjusted(36_px, 0, -10_px, 0);
    if (badge_ > 0) {
        painter.setFont(theme.text(11, QFont::DemiBold));
        const QString number = badge_ > 99 ? QStringLiteral("99+") : QString::number(badge_);
        const int w = std::max(20_px, painter.fontMetrics().horizontalAdvance(number) + 12_px);
        const QRect badge(area.right() + 1 - w, (height() - 20_px) / 2, w, 20_px);
        fill_box(painter, placed(badge), 5, theme.color(Token::BgSelected));
        painter.setPen(theme.color(Token::Accent));
        painter.drawText(placed(badge), Qt::AlignCenter, number);
        area.setRight(badge.left() - 8_px);
    } else if (!count_.isEmpty()) {
        draw_text(painter, theme.mono(11), Token::TextMuted, placed(area), count_, Qt::AlignRight | Qt::AlignVCenter);
        area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(count_) - 8_px);
    }
    painter.setFont(theme.text(13, on ? QFont::DemiBold : QFont::Medium));
    painter.setPen(theme.color(on ? Token::Text : Token::TextSecondary));
    painter.drawText(placed(area), Qt::AlignLeft | Qt::AlignVCenter,
                     elided_text(painter.fontMetrics(), text(), Qt::ElideRight, area.width()));
}

}  // namespace trainyard::widgets
