// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/logo_mark.h"

#include <QPainterPath>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
/// Into a square of 16 units.
void paintMark(QPainter& painter, const QColor& main, const QColor& second) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(main, 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawLine(QPointF(1, 0), QPointF(1, 16));
    QPainterPath lower(QPointF(1, 1));
    lower.cubicTo(QPointF(1.5, 8), QPointF(7, 14), QPointF(16, 14));
    painter.drawPath(lower);
    painter.setPen(QPen(second, 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    QPainterPath upper(QPointF(4.2, 0));
    upper.cubicTo(QPointF(6, 4), QPointF(10.5, 7), QPointF(16, 7));
    painter.drawPath(upper);
}
}  // namespace

LogoMark::LogoMark(QWidget* parent) : QWidget(parent) {
    setFixedSize(16_px, 16_px);
    setAccessibleName(QStringLiteral("Trainyard"));
}

void LogoMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.scale(width() / 16.0, height() / 16.0);
    paintMark(painter, Theme::instance().color(Token::Accent), Theme::instance().color(Token::TextMuted));
}

QIcon applicationIcon() {
    QIcon icon;
    for (int size : {32, 64, 128, 256}) {
        QPixmap picture(size, size);
        picture.fill(Qt::transparent);
        SmoothPainter painter(&picture);
        fill_box(painter, QRectF(0, 0, size, size), size * 0.2, widgets::token_color(Token::BgApp, true));
        painter.translate(size * 0.24, size * 0.24);
        painter.scale(size * 0.52 / 16, size * 0.52 / 16);
        paintMark(painter, widgets::token_color(Token::Accent, true), widgets::token_color(Token::TextSecondary, true));
        painter.end();
        icon.addPixmap(picture);
    }
    return icon;
}

}  // namespace trainyard::desktop
