// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small square in a colour of the theme, beside the words it stands for.

#include <functional>
#include <utility>

#include <QIcon>
#include <QPixmap>
#include <QWidget>

#include "widgets/paint.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

class Swatch : public QWidget {
  public:
    /// `color`: asked whenever it is painted, as the theme may have changed.
    explicit Swatch(std::function<QColor()> color, int size = 8, QWidget* parent = nullptr)
        : QWidget(parent), color_(std::move(color)) {
        setFixedSize(size, size);
    }

    /// In the colour of a run.
    explicit Swatch(int run, int size = 8, QWidget* parent = nullptr) : Swatch(ofRun(run), size, parent) { run_ = run; }

    void setColor(int run) {
        if (run == run_)
            return;
        run_ = run;
        color_ = ofRun(run);
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        widgets::SmoothPainter painter(this);
        widgets::fill_box(painter, rect(), 2, color_());
    }

  private:
    static std::function<QColor()> ofRun(int run) {
        return [run] { return widgets::Theme::instance().runColor(run); };
    }
    std::function<QColor()> color_;
    int run_ = -1;  ///< whose colour it is, if any's
};

/// The same as an icon of `size`, with a margin of 2 around it.
inline QIcon swatch_icon(int color, int size) {
    QPixmap picture(2 * size, 2 * size);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    widgets::SmoothPainter painter(&picture);
    const double side = size - 4;
    widgets::fill_box(painter, QRectF(2, 2, side, side), side / 4, widgets::Theme::instance().runColor(color));
    return QIcon(picture);
}

}  // namespace trainyard::desktop
