// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Simulates how people without green cones (deuteranopia, about one man in a hundred) see colours, as a preview of the
// whole window, to check that curves and states remain distinguishable. After G. Machado, M. Oliveira, L. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009: a matrix applied to
// linear RGB.

#include <QColor>
#include <QGraphicsEffect>
#include <QImage>

namespace trainyard::widgets {

QColor as_deuteranope(const QColor& color);
/// Converts every pixel of an image; alpha is unchanged.
QImage as_deuteranope(QImage image);

/// Applies the simulation to a widget and its children. Costs some milliseconds per repaint, so it is only for
/// previews.
class DeuteranopiaEffect : public QGraphicsEffect {
    Q_OBJECT
  public:
    using QGraphicsEffect::QGraphicsEffect;

  protected:
    void draw(QPainter* painter) override;
};

}  // namespace trainyard::widgets
