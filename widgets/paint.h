// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words and boxes, painted in one call. Font, pen and brush stay with the painter.

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

#include "widgets/token.h"

namespace trainyard::widgets {

/// Draws curves and slanted lines without steps.
class SmoothPainter : public QPainter {
  public:
    explicit SmoothPainter(QPaintDevice* device) : QPainter(device) { setRenderHint(Antialiasing); }
};

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
/// The same without a line.
void fill_box(QPainter& painter, const QRectF& area, double radius, const QColor& fill);
/// The ellipse that `area` has room for.
void fill_disc(QPainter& painter, const QRectF& area, const QColor& fill);
/// What has the keyboard: a line of 2 pixels within `area`.
void draw_ring(QPainter& painter, const QRectF& area, double radius);

}  // namespace trainyard::widgets
