// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory of the fullest rank by micro-batch, as it is now and with full checkpointing, with the limit. Painted.

#include <QWidget>

#include "widgets/pixels.h"

namespace trainyard::desktop {

class Scenario;

class BatchChart : public QWidget {
    Q_OBJECT
  public:
    explicit BatchChart(Scenario* scenario, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {220_px, 190_px}; }
    QSize minimumSizeHint() const override { return {150_px, 120_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Scenario* scenario_;
};

}  // namespace trainyard::desktop
