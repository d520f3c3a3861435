// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small chart with its title and the value at the crosshair (or the last one).

#include <QFrame>

#include "widgets/forward.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class SmallChart : public QFrame {
    Q_OBJECT
  public:
    SmallChart(const QString& title, const widgets::Series* series, int color, QWidget* parent = nullptr);
    widgets::CurveChart* chart() const { return chart_; }
    void refreshValue();

  private:
    widgets::CurveChart* chart_;
    QLabel* value_;
};

}  // namespace trainyard::desktop
