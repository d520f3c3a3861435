// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A chart of curves as SVG, for a report. Curves are reduced as those on the screen are
// (widgets/plot/column_reduction.h): in each pixel column the lowest and the highest value are kept.

#include <string>
#include <vector>

#include "widgets/plot/series.h"

namespace trainyard::report {

struct SvgCurve {
    std::string name;
    const widgets::Series* series = nullptr;
    widgets::XScale scale;
    int color = 1;    ///< number of the run colour, from 1
    int variant = 0;  ///< curves of one colour differ in their dashes
    bool right = false;
};

struct SvgChart {
    std::string name;  ///< for screen readers
    std::vector<SvgCurve> curves;
    double smoothing = 0;  ///< weight of the moving average; 0: none
    bool log_x = false, log_y = false, log_right = false;
};

/// Curves without points are left out; without any, an empty text.
std::string svg_of(const SvgChart& chart);
/// The number of a tick or of a table.
std::string number_text(double value, int digits = 5);

}  // namespace trainyard::report
