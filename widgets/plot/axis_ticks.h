// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Positions and labels of the ticks of an axis: round numbers, round times, and on a logarithmic axis 1-2-5 over
// decades or round numbers within one decade. Used by QCustomPlot's axes (plot_canvas.cpp) and by widgets without
// QCustomPlot. QCustomPlot's own tickers are not sufficient: QCPAxisTickerLog has no tick between 1.2 and 3.5 (a loss),
// QCPAxisTickerDateTime begins a day at midnight UTC, and QCPAxisTickerTime writes the same fields for 30 seconds and
// for 9 days.

#include <vector>

#include <QString>

#include "widgets/plot/series.h"
#include "widgets/plot/tick_marks.h"

namespace trainyard::widgets {

/// Returns ticks in seconds since 1970 at full minutes, hours, days or months of local time.
TickMarks wall_ticks(double lower, double upper, int wanted);

struct AxisTick {
    double at = 0;
    QString text;
};
/// Ticks at numbers.
std::vector<AxisTick> number_ticks(double lower, double upper, bool log, int wanted);
/// Ticks of a horizontal axis in this unit.
std::vector<AxisTick> position_ticks(double lower, double upper, bool log, XUnit unit, int wanted);

}  // namespace trainyard::widgets
