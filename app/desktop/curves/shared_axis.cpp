// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/shared_axis.h"

namespace trainyard::desktop {

using widgets::CurveChart;

SharedAxis::SharedAxis(QObject* parent) : QObject(parent), link_(new widgets::ChartLink(this)) {}

void SharedAxis::add(CurveChart* chart) {
    if (charts_.contains(chart))
        return;
    charts_.insert(chart);
    applying_ = true;
    apply(chart);
    applying_ = false;
    link_->add(chart);
    connect(chart, &QObject::destroyed, this, [this, chart] { charts_.remove(chart); });
    connect(chart, &CurveChart::smoothingChanged, this, [this](double weight) {
        AxisLook look = look_;
        look.smoothing = weight;
        choose(look);
    });
    // By key or menu of one chart: charts of a panel look alike.
    connect(chart, &CurveChart::viewChanged, this, [this, chart] {
        AxisLook look = look_;
        look.log_x = chart->isLogX();
        look.log_y = chart->isLogY();
        look.clip = chart->areOutliersClipped();
        choose(look);
    });
}

void SharedAxis::remove(CurveChart* chart) {
    if (!charts_.remove(chart))
        return;
    disconnect(chart, nullptr, this, nullptr);
    link_->remove(chart);
}

void SharedAxis::choose(const AxisLook& look) {
    if (!applying_ && !(look == look_))
        emit lookChosen(look);
}

void SharedAxis::apply(CurveChart* chart) const {
    chart->setUnit(look_.unit);
    chart->setLogX(look_.log_x);
    chart->setLogY(look_.log_y);
    chart->setOutliersClipped(look_.clip);
    chart->setSmoothing(look_.smoothing);
}

void SharedAxis::setLook(const AxisLook& look) {
    if (look == look_)
        return;
    const bool other_unit = look.unit != look_.unit;
    look_ = look;
    applying_ = true;
    if (other_unit)
        link_->setRange({});
    for (CurveChart* chart : std::as_const(charts_))
        apply(chart);
    applying_ = false;
}

}  // namespace trainyard::desktop
