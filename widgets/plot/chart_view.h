// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The contents of a chart as values: curves, markers and the view. No painting, no widgets.

#include <cstdint>
#include <limits>
#include <optional>

#include <QString>
#include <QVector>

#include "widgets/plot/reduction.h"
#include "widgets/plot/series.h"
#include "widgets/token.h"

namespace trainyard::widgets {

/// A sign at the last point of a curve, so that curves differ in more than their colour.
enum class EndMarker { None, Disc, Square, Triangle, Diamond };
/// Disc, square, triangle, diamond in turn for runs 1, 2, 3, ...
EndMarker end_marker(int number);

enum class Strength {
    Normal,
    Thin,  ///< one pixel
};

struct Curve {
    QString name;
    const Series* series = nullptr;  ///< must outlive the chart or exist until the next setCurves()
    int color = 1;                   ///< run colour, from 1
    bool noisy = false;              ///< drawn as band, thin raw line and trend line
    /// Its own mapping from columns to the axis; without it that of the chart. The unit is always the chart's.
    std::optional<XScale> scale = {};
    Qt::PenStyle dash = Qt::SolidLine;  ///< run_dash(number) for runs 11 and above
    EndMarker end = EndMarker::None;
    Strength strength = Strength::Normal;
    bool visible = true;
    bool right = false;  ///< on the second vertical axis
    /// Steps at which a restarted run continued: the line has a thin gap before them.
    QVector<std::int64_t> breaks = {};
    /// A filled band between two other series with the same steps (lowest and highest value of a group of runs, two
    /// percentiles).
    const Series* low = nullptr;
    const Series* high = nullptr;
    double fill = 0;           ///< opacity of the band; 0: as for the band of a noisy curve
    bool trend_alone = false;  ///< draw only the trend, if any, not the raw values: for a run laid under another
    /// Another curve of the chart: the table at the crosshair shows its value minus this one's.
    const Series* measured = nullptr;
};

/// The line drawn over the raw values.
enum class Trend {
    Average,  ///< debiased exponential moving average, as TensorBoard's; noisy curves only
    Median,   ///< of the points around each point; noisy curves only
    Lowest,   ///< best value so far; every curve
    Highest,
};

/// An event at a position of the horizontal axis: an icon at the upper edge and a dashed line.
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
    XRange right{0, 1};  ///< of the curves on the second vertical axis; fits itself
    bool log_x = false;
    bool log_y = false;
    bool log_right = false;
    Trend trend = Trend::Average;
    bool bands = true;                                            ///< lowest to highest raw value behind a trend
    double smoothing = 0;                                         ///< weight of Average and Median; 0: off
    double crosshair = std::numeric_limits<double>::quiet_NaN();  ///< in x units; NaN: none
    bool operator==(const ChartView&) const = default;
};

/// The vertical axis of the curve.
inline bool is_log(const Curve& curve, const ChartView& view) {
    return curve.right ? view.log_right : view.log_y;
}
inline const XRange& y_of(const Curve& curve, const ChartView& view) {
    return curve.right ? view.right : view.y;
}
/// The unit of the view with the start, tokens and epochs of the curve.
XScale scale_of(const Curve& curve, const ChartView& view);
/// Whether the curve has a trend line in this view.
bool has_trend(const Curve& curve, const ChartView& view);

inline double marker_x(const Marker& marker, const XScale& scale) {
    return scale.isTime() ? scale.atTime(marker.wall_time) : scale.atStep(marker.step);
}

}  // namespace trainyard::widgets
