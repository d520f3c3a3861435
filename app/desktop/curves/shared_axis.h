#pragma once
// What the charts of a panel have in common: unit, horizontal range, crosshair, smoothing, kinds of axes. Charts come and go while one
// scrolls; a chart that joins gets what the others have. Saved views give it its first range.

#include <optional>

#include <QObject>
#include <QSet>

#include "widgets/plot/curve_chart.h"

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

    using QObject::QObject;

    void add(widgets::CurveChart* chart);
    void remove(widgets::CurveChart* chart);
    void setLook(const Look& look);
    const Look& look() const { return look_; }
    /// Nothing: all is shown, the right edge is followed.
    const std::optional<widgets::XRange>& range() const { return range_; }
    void setRange(const std::optional<widgets::XRange>& range);
    double crosshair() const { return crosshair_; }

  signals:
    void rangeChanged();
    /// By a key in one of the charts.
    void smoothingChosen(double weight);

  private:
    void applyLook(widgets::CurveChart* chart) const;

    QSet<widgets::CurveChart*> charts_;
    Look look_;
    std::optional<widgets::XRange> range_;
    double crosshair_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace trainyard::desktop
