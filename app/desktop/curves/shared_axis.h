#pragma once
// What the charts of a panel have in common: unit, smoothing, kinds of axes; and through a ChartLink range, crosshair and pins. Charts
// come and go while one scrolls; one that joins gets what the others have. What is chosen by key in one chart is told, for all.

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
    /// Another unit ends the zoom.
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
