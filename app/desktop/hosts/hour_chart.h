// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The last hour of a host's load in percent: GPUs, memory, processor. Points are where it was asked; longer silences
// are gaps.

#include <deque>

#include <QWidget>

#include "desktop/hosts/host_list.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class HourChart : public QWidget {
    Q_OBJECT
  public:
    explicit HourChart(QWidget* parent = nullptr);
    /// `now`: wall seconds, the right edge.
    void setPoints(const std::deque<LoadPoint>& points, double now);
    QSize sizeHint() const override { return {480_px, 96_px}; }
    QSize minimumSizeHint() const override { return {240_px, 96_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::deque<LoadPoint> points_;
    double now_ = 0;
};

}  // namespace trainyard::desktop
