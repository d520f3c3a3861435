#pragma once
// What a chart shows, as values: curves, markers, and the view on them. No painting, no widgets.

#include <cstdint>
#include <limits>
#include <optional>

#include <QString>
#include <QVector>

#include "widgets/plot/reduction.h"
#include "widgets/plot/series.h"
#include "widgets/token.h"

namespace trainyard::widgets {

/// A sign at the last point of a curve, so that colour is not the only thing that tells it apart.
enum class EndMarker { None, Disc, Square, Triangle, Diamond };
/// Disc, square, triangle, diamond in turn for runs 1, 2, 3, ...
EndMarker end_marker(int number);

enum class Strength {
    Normal,
    Thin,  ///< one pixel
};

struct Curve {
    QString name;
    const Series* series = nullptr;  ///< outlives the chart or the next setCurves()
    int color = 1;                   ///< run colour, from 1
    bool noisy = false;              ///< gets band, thin raw line and trend line
    /// Its own columns-to-axis; without it the chart's. The unit is the chart's in any case.
    std::optional<XScale> scale = {};
    Qt::PenStyle dash = Qt::SolidLine;  ///< run_dash(number) for runs 11 and above
    EndMarker end = EndMarker::None;
    Strength strength = Strength::Normal;
    bool visible = true;
    /// Steps from which on a restarted run wrote: the line has a thin break before them.
    QVector<std::int64_t> breaks = {};
    /// A filled band between two other series with the same steps (lowest and highest of a group of runs, two percentiles).
    const Series* low = nullptr;
    const Series* high = nullptr;
    double fill = 0;           ///< share of the colour in it; 0: as the band of a noisy curve
    bool trend_alone = false;  ///< where there is a trend the raw values are not drawn: a run laid under another
    /// Another curve of the chart: its value less this one's stands in the table at the crosshair.
    const Series* measured = nullptr;
};

/// The line drawn over the raw one.
enum class Trend {
    Average,  ///< debiased exponential moving average, as TensorBoard's; noisy curves only
    Median,   ///< of the points around; noisy curves only
    Lowest,   ///< best so far; every curve
    Highest,
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
    bool log_x = false;
    bool log_y = false;
    Trend trend = Trend::Average;
    bool bands = true;                                            ///< lowest to highest raw value behind a trend
    double smoothing = 0;                                         ///< weight of Average and Median; 0: off
    double crosshair = std::numeric_limits<double>::quiet_NaN();  ///< in x units; NaN: none
    bool operator==(const ChartView&) const = default;
};

/// The unit of the view with the start, tokens and epochs of the curve.
XScale scale_of(const Curve& curve, const ChartView& view);
/// Is there a trend line in this view?
bool has_trend(const Curve& curve, const ChartView& view);

inline double marker_x(const Marker& marker, const XScale& scale) {
    return scale.isTime() ? scale.atTime(marker.wall_time) : scale.atStep(marker.step);
}

}  // namespace trainyard::widgets
