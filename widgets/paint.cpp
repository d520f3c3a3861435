// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/paint.h"

#include <QFontMetrics>

#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

void draw_text(QPainter& painter, const QFont& font, const QColor& ink, const QRectF& area, const QString& text,
               int flags) {
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(area, flags, visible_text(text));
}

void draw_text(QPainter& painter, const QFont& font, Token ink, const QRectF& area, const QString& text, int flags) {
    draw_text(painter, font, Theme::instance().color(ink), area, text, flags);
}

void draw_elided(QPainter& painter, const QFont& font, const QColor& ink, const QRectF& area, const QString& text,
                 int flags) {
    const QString shown = elided_text(QFontMetrics(font), text, Qt::ElideRight, static_cast<int>(area.width()));
    draw_text(painter, font, ink, area, shown, flags);
}

void draw_elided(QPainter& painter, const QFont& font, Token ink, const QRectF& area, const QString& text, int flags) {
    draw_elided(painter, font, Theme::instance().color(ink), area, text, flags);
}

void draw_box(QPainter& painter, const QRectF& area, double radius, const QColor& fill, const QColor& line,
              double width) {
    painter.setPen(QPen(line, width));
    painter.setBrush(fill);
    const double half = width / 2;
    painter.drawRoundedRect(area.adjusted(half, half, -half, -half), radius, radius);
}

void fill_box(QPainter& painter, const QRectF& area, double radius, const QColor& fill) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(area, radius, radius);
}

void fill_disc(QPainter& painter, const QRectF& area, const QColor& fill) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawEllipse(area);
}

void draw_ring(QPainter& painter, const QRectF& area, double radius) {
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, area, radius, Qt::transparent, Theme::instance().color(Token::Accent), 2);
}

}  // namespace trainyard::widgets
