#pragma once
// How colours look to people without green cones (deuteranopia, about one man in a hundred), as a preview of the whole window: whether curves and states
// can still be told apart. After G. Machado, M. Oliveira, L. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
// IEEE TVCG 15(6), 2009: a matrix over linear RGB.

#include <QColor>
#include <QGraphicsEffect>
#include <QImage>

namespace trainyard::widgets {

QColor as_deuteranope(const QColor& color);
/// The same for every pixel; its alpha stays.
QImage as_deuteranope(QImage image);

/// Shows a widget and what is in it so. Costs some milliseconds a repaint: for looking, not for working.
class DeuteranopiaEffect : public QGraphicsEffect {
    Q_OBJECT
  public:
    using QGraphicsEffect::QGraphicsEffect;

  protected:
    void draw(QPainter* painter) override;
};

}  // namespace trainyard::widgets
