#pragma once
// What the charts of a panel have in common: unit, smoothing, kinds of axes; and through a ChartLink range, crosshair and pins. Charts
// come and go while one scrolls; one that joins gets what the others have. What is chosen by key in one chart is told, for all.

#include <QObject>
#include <QSet>

#include "widgets/plot/chart_link.h"

namespace trainyard::desktop {

class SharedAxis : public QObject {
    Q_OBJECT
  public:
    struct Look {
        widgets::XUnit unit = widgets::XUnit::Step;
        double smoothing = 0;
        bool log_x = false;
        bool log_y = false;
        bool clip = false;
        bool operator==(const Look&) const = default;
    };

    explicit SharedAxis(QObject* parent = nullptr);

    void add(widgets::CurveChart* chart);
    void remove(widgets::CurveChart* chart);
    /// Another unit ends the zoom.
    void setLook(const Look& look);
    const Look& look() const { return look_; }
    widgets::ChartLink* link() const { return link_; }

  signals:
    void lookChosen(const trainyard::desktop::SharedAxis::Look& look);

  private:
    void apply(widgets::CurveChart* chart) const;
    void choose(const Look& look);

    widgets::ChartLink* link_;
    QSet<widgets::CurveChart*> charts_;
    Look look_;
    bool applying_ = false;
};

}  // namespace trainyard::desktop
