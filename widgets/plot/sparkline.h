// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A series as a small line without axes, reduced to its width: its shape.

#include <QWidget>

#include "widgets/pixels.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

class Sparkline : public QWidget {
    Q_OBJECT
  public:
    explicit Sparkline(QWidget* parent = nullptr);
    /// `series` outlives the widget. `color`: run colour, from 1. Call update() after it grew.
    void setSeries(const Series* series, int color);
    QSize sizeHint() const override { return {44_px, 20_px}; }
    QSize minimumSizeHint() const override { return {24_px, 14_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Series* series_ = nullptr;
    int color_ = 1;
};

}  // namespace trainyard::widgets
