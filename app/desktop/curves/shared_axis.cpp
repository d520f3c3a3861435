#include "desktop/curves/shared_axis.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::XRange;

void SharedAxis::add(CurveChart* chart) {
    if (charts_.contains(chart))
        return;
    charts_.insert(chart);
    applyLook(chart);
    if (range_)
        chart->setXRange(*range_);
    else
        chart->fit();
    chart->setCrosshair(crosshair_);
    connect(chart, &QObject::destroyed, this, [this, chart] { charts_.remove(chart); });
    connect(chart, &CurveChart::crosshairMoved, this, [this, chart](double x) {
        crosshair_ = x;
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart)
                other->setCrosshair(x);
    });
    connect(chart, &CurveChart::rangeChanged, this, [this, chart](const XRange& range) {
        range_ = range;
        for (CurveChart* other : std::as_const(charts_))
            if (other != chart)
                other->setXRange(range);
        emit rangeChanged();
    });
    connect(chart, &CurveChart::fitted, this, [this] { setRange({}); });
    connect(chart, &CurveChart::smoothingToggled, this, [this, chart](bool) {
        // The chart has not changed yet when it tells.
        QMetaObject::invokeMethod(
            this,
            [this, chart] {
                if (charts_.contains(chart))
                    emit smoothingChosen(chart->smoothing());
            },
            Qt::QueuedConnection);
    });
}

void SharedAxis::remove(CurveChart* chart) {
    if (!charts_.remove(chart))
        return;
    disconnect(chart, nullptr, this, nullptr);
}

void SharedAxis::applyLook(CurveChart* chart) const {
    chart->setLogY(look_.log_y);
    chart->setSmoothing(look_.smoothing);
}

void SharedAxis::setLook(const Look& look) {
    if (look == look_)
        return;
    if (look.unit != look_.unit) {
        range_.reset();
        crosshair_ = std::numeric_limits<double>::quiet_NaN();
    }
    look_ = look;
    for (CurveChart* chart : std::as_const(charts_))
        applyLook(chart);
}

void SharedAxis::setRange(const std::optional<XRange>& range) {
    if (range == range_)
        return;
    range_ = range;
    for (CurveChart* chart : std::as_const(charts_)) {
        if (range_)
            chart->setXRange(*range_);
        else if (!chart->isFollowing())
            chart->fit();
    }
    emit rangeChanged();
}

}  // namespace trainyard::desktop
