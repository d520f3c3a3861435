// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/progress_strip.h"

#include <algorithm>

#include <QPainterPath>

#include "widgets/local_text.h"
#include "widgets/paint.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

ProgressStrip::ProgressStrip(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProgressStrip::setShare(double share) {
    share = std::clamp(share, 0.0, 1.0);
    if (share == share_)
        return;
    share_ = share;
    setAccessibleDescription(percent_text(share, 1));
    update();
}

void ProgressStrip::setTicks(const QVector<double>& shares) {
    if (shares == ticks_)
        return;
    ticks_ = shares;
    update();
}

void ProgressStrip::setColor(Token color) {
    if (color == color_)
        return;
    color_ = color;
    update();
}

void ProgressStrip::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const QRectF bar(0, (height() - 6) / 2.0, width(), 6);
    QPainterPath shape;
    shape.addRoundedRect(bar, 3, 3);
    painter.setClipPath(shape);
    painter.fillRect(bar, theme.color(Token::BgHover));
    QRectF done = bar;
    done.setWidth(bar.width() * share_);
    painter.fillRect(done, theme.color(color_));
    for (double at : ticks_)
        painter.fillRect(QRectF(std::round(bar.left() + bar.width() * at) - 1, bar.top(), 2, bar.height()),
                         theme.color(Token::BgPage));
}

}  // namespace trainyard::widgets
