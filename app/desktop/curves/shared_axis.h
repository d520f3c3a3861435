// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings that the charts of a panel share: unit, smoothing and kinds of axes, and through a ChartLink the range,
// crosshair and pins. Charts are added and removed while the user scrolls; a new chart gets the settings of the others.
// lookChosen() reports what the user chose by a key in one chart, for all.

#include <QObject>
#include <QSet>

#include "desktop/curves/panel_layout.h"
#include "widgets/plot/chart_link.h"

namespace trainyard::desktop {

class SharedAxis : public QObject {
    Q_OBJECT
  public:
    explicit SharedAxis(QObject* parent = nullptr);

    void add(widgets::CurveChart* chart);
    void remove(widgets::CurveChart* chart);
    /// Sets the appearance of all charts. A change of the unit resets the zoom.
    void setLook(const AxisLook& look);
    const AxisLook& look() const { return look_; }
    widgets::ChartLink* link() const { return link_; }

  signals:
    void lookChosen(const trainyard::desktop::AxisLook& look);

  private:
    void apply(widgets::CurveChart* chart) const;
    void choose(const AxisLook& look);

    widgets::ChartLink* link_;
    QSet<widgets::CurveChart*> charts_;
    AxisLook look_;
    bool applying_ = false;
};

}  // namespace trainyard::desktop
