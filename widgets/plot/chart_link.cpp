#include "widgets/plot/chart_link.h"

namespace trainyard::widgets {

void ChartLink::add(CurveChart* chart) {
    charts_.append(chart);
    connect(chart, &CurveChart::crosshairMoved, this, [this, chart](double x) {
        for (CurveChart* other : charts_)
            if (other != chart)
                other->setCrosshair(x);
    });
    connect(chart, &CurveChart::rangeChanged, this, [this, chart](const XRange& range) {
        for (CurveChart* other : charts_)
            if (other != chart)
                other->setXRange(range);
    });
    connect(chart, &CurveChart::fitted, this, [this, chart] {
        for (CurveChart* other : charts_)
            if (other != chart && !other->isFollowing())
                other->fit();
    });
}

}  // namespace trainyard::widgets
