// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory of the fullest rank by micro-batch, as it is now and with full checkpointing, with the limit. Painted.

#include <QWidget>

namespace trainyard::desktop {

class Scenario;

class BatchChart : public QWidget {
    Q_OBJECT
  public:
    explicit BatchChart(Scenario* scenario, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {220, 190}; }
    QSize minimumSizeHint() const override { return {150, 120}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Scenario* scenario_;
};

}  // namespace trainyard::desktop
