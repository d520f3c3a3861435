#pragma once
// A small square in a run colour, beside the words it stands for.

#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include "widgets/theme.h"

namespace trainyard::desktop {

class Swatch : public QWidget {
  public:
    explicit Swatch(int color, int size = 8, QWidget* parent = nullptr) : QWidget(parent), color_(color) {
        setFixedSize(size, size);
        connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, qOverload<>(&QWidget::update));
    }

    void setColor(int color) {
        color_ = color;
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(widgets::Theme::instance().runColor(color_));
        painter.drawRoundedRect(rect(), 2, 2);
    }

  private:
    int color_;
};

/// The same as an icon of `size`, with a margin of 2 around it.
inline QIcon swatch_icon(int color, int size) {
    QPixmap picture(2 * size, 2 * size);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(widgets::Theme::instance().runColor(color));
    const double side = size - 4;
    painter.drawRoundedRect(QRectF(2, 2, side, side), side / 4, side / 4);
    return QIcon(picture);
}

}  // namespace trainyard::desktop
