#pragma once
// What a chart shows, as values: curves, markers, and the view on them. No painting, no widgets.

#include <limits>

#include <QString>
#include <QVector>

#include "widgets/plot/reduction.h"
#include "widgets/plot/series.h"
#include "widgets/tokens.h"

namespace trainyard::widgets {

struct Curve {
    QString name;
    const Series* series = nullptr;  ///< outlives the chart or the next setCurves()
    int color = 1;                   ///< run colour, from 1
    bool noisy = false;              ///< gets band, thin raw line and smoothed line
};

/// Something that happened at a place of the horizontal axis: an icon at the upper edge and a dashed line.
struct Marker {
    int id = 0;
    double step = 0;
    double wall_time = 0;
    QString icon;
    Token color = Token::TextSecondary;
    QString text;  ///< one sentence for the tool tip
};

struct ChartView {
    XScale scale;
    XRange x{0, 1};
    XRange y{0, 1};
    bool log_y = false;
    double smoothing = 0;                                         ///< weight; 0: off
    double crosshair = std::numeric_limits<double>::quiet_NaN();  ///< in x units; NaN: none
};

inline double marker_x(const Marker& marker, const XScale& scale) {
    return scale.isTime() ? scale.atTime(marker.wall_time) : scale.atStep(marker.step);
}

}  // namespace trainyard::widgets
