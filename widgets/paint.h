#pragma once
// Words and boxes, painted in one call. Font, pen and brush stay with the painter.

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include "widgets/token.h"

class QPainter;

namespace trainyard::widgets {

inline constexpr int kBesideEachOther = Qt::AlignLeft | Qt::AlignVCenter;

void draw_text(QPainter& painter, const QFont& font, const QColor& ink, const QRectF& area, const QString& text,
               int flags = kBesideEachOther);
void draw_text(QPainter& painter, const QFont& font, Token ink, const QRectF& area, const QString& text,
               int flags = kBesideEachOther);
/// As much of it as has room.
void draw_elided(QPainter& painter, const QFont& font, const QColor& ink, const QRectF& area, const QString& text,
                 int flags = kBesideEachOther);
void draw_elided(QPainter& painter, const QFont& font, Token ink, const QRectF& area, const QString& text,
                 int flags = kBesideEachOther);
/// With round corners, and a line of `width` pixels that lies within `area`.
void draw_box(QPainter& painter, const QRectF& area, double radius, const QColor& fill, const QColor& line,
              double width = 1);
/// What has the keyboard: a line of 2 pixels within `area`.
void draw_ring(QPainter& painter, const QRectF& area, double radius);

}  // namespace trainyard::widgets
