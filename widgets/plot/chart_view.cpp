// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_view.h"

#include <array>

namespace trainyard::widgets {

EndMarker end_marker(int number) {
    static constexpr std::array kTurns{EndMarker::Disc, EndMarker::Square, EndMarker::Triangle, EndMarker::Diamond};
    return kTurns[static_cast<std::size_t>((std::max(1, number) - 1) % 4)];
}

XScale scale_of(const Curve& curve, const ChartView& view) {
    XScale scale = curve.scale.value_or(view.scale);
    scale.unit = view.scale.unit;
    return scale;
}

bool has_trend(const Curve& curve, const ChartView& view) {
    if (view.trend == Trend::Lowest || view.trend == Trend::Highest)
        return true;
    return curve.noisy && view.smoothing > 0;
}

}  // namespace trainyard::widgets
