// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme_icon.h"

#include <algorithm>

#include <QPainter>

#include "widgets/theme.h"

namespace trainyard::widgets {

void ThemeIcon::paint(QPainter* painter, const QRect& area, QIcon::Mode mode, QIcon::State state) {
    const qreal ratio = painter->device() == nullptr ? 1 : painter->device()->devicePixelRatioF();
    const QPixmap picture = scaledPixmap((QSizeF(area.size()) * ratio).toSize(), mode, state, ratio);
    const QSizeF size = picture.deviceIndependentSize();
    painter->drawPixmap(
        QPointF(area.left() + (area.width() - size.width()) / 2, area.top() + (area.height() - size.height()) / 2),
        picture);
}

QPixmap ThemeIcon::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    return scaledPixmap(size, mode, state, 1);
}

QPixmap ThemeIcon::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/, qreal scale) {
    return Theme::instance().pixmap(name_, mode == QIcon::Disabled ? Token::TextMuted : token_,
                                    qRound(std::min(size.width(), size.height()) / scale), scale);
}

}  // namespace trainyard::widgets
