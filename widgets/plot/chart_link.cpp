// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_link.h"

namespace trainyard::widgets {

void ChartLink::add(CurveChart* chart) {
    if (charts_.contains(chart))
        return;
    charts_.append(chart);
    if (range_)
        chart->setXRange(*range_);
    chart->setCrosshair(crosshair_);
    chart->setPins(pins_);
    connect(chart, &QObject::destroyed, this, [this, chart] { charts_.removeAll(chart); });
    connect(chart, &CurveChart::crosshairMoved, this, [this, chart](double x) {
        crosshair_ = x;
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart)
                other->setCrosshair(x);
        emit crosshairMoved(x);
    });
    connect(chart, &CurveChart::pinsChanged, this, [this, chart](const QVector<double>& pins) {
        pins_ = pins;
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart)
                other->setPins(pins);
    });
    connect(chart, &CurveChart::rangeChanged, this, [this, chart](const XRange& range) {
        range_ = range;
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart)
                other->setXRange(range);
        emit rangeChanged();
    });
    connect(chart, &CurveChart::fitted, this, [this, chart] {
        const bool was_zoomed = range_.has_value();
        range_.reset();
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart && !other->isFollowing())
                other->fit();
        if (was_zoomed)
            emit rangeChanged();
    });
}

void ChartLink::remove(CurveChart* chart) {
    charts_.removeAll(chart);
    disconnect(chart, nullptr, this, nullptr);
}

void ChartLink::setRange(const std::optional<XRange>& range) {
    range_ = range;
    for (CurveChart* chart : std::as_const(charts_)) {
        if (range)
            chart->setXRange(*range);
        else
            chart->fit();
    }
}

void ChartLink::setCrosshair(double x) {
    crosshair_ = x;
    for (CurveChart* chart : std::as_const(charts_))
        chart->setCrosshair(x);
}

}  // namespace trainyard::widgets
