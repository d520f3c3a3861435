// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The commands of a chart's menu: axes, smoothing, copy, export, table.

#include <functional>

#include <QList>
#include <QObject>

#include "widgets/forward.h"

namespace trainyard::widgets {

class CurveChart;

class ChartActions : public QObject {
    Q_OBJECT
  public:
    /// Belongs to the chart.
    explicit ChartActions(CurveChart* chart);
    /// The actions, checked and enabled as the chart is now. Their texts contain their keys.
    const QList<QAction*>& current();

  private:
    QList<QAction*> actions_;
    QList<std::function<void()>> updates_;  ///< each checks or enables one action
};

}  // namespace trainyard::widgets
