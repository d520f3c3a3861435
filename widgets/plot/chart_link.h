// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Charts that share crosshair, pins and horizontal range: what one does, the others follow. A chart may come late (it takes what the
// others show) and may die before the link.

#include <limits>
#include <optional>

#include <QObject>
#include <QVector>

#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

class ChartLink : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    void add(CurveChart* chart);
    void remove(CurveChart* chart);
    /// What all show; nothing: each fits itself.
    const std::optional<XRange>& range() const { return range_; }
    void setRange(const std::optional<XRange>& range);
    void setCrosshair(double x);
    const QVector<double>& pins() const { return pins_; }

  signals:
    void crosshairMoved(double x);
    void rangeChanged();

  private:
    QVector<CurveChart*> charts_;
    std::optional<XRange> range_;
    QVector<double> pins_;
    double crosshair_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace trainyard::widgets
