// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One stacked bar, with its own scale, of the host memory or disk space that the devices of one host use for
// offloading. Hidden if nothing is offloaded there.

#include <QWidget>

#include "desktop/estimator/memory_groups.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class Scenario;

class PlaceBar : public QWidget {
    Q_OBJECT
  public:
    PlaceBar(Scenario* scenario, estimate::Place place, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {kWidth, 360_px}; }
    QSize minimumSizeHint() const override { return {kWidth, 160_px}; }
    /// Bytes used on one host; 0 if nothing is offloaded there.
    double bytes() const { return bytes_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    static inline const int& kWidth = live_px(96);
    void show();
    QString placeName() const;
    /// Of one host; 0: not known.
    double limit() const;

    Scenario* scenario_;
    estimate::Place place_;
    MemoryGroups groups_{};
    double bytes_ = 0;
};

}  // namespace trainyard::desktop
