#pragma once
// A small square in a run colour, beside the words it stands for.

#include <QPainter>
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

}  // namespace trainyard::desktop
