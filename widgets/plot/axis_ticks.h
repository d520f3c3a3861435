#pragma once
// Where the ticks of an axis stand, and their words: round numbers, round times, and on a logarithmic axis 1-2-5 over decades or round
// numbers within one. QCustomPlot's axes ask for them (plot_canvas.cpp), and the widgets that are no plots. QCustomPlot's own tickers do
// not do: QCPAxisTickerLog has no tick between 1.2 and 3.5 (a loss), QCPAxisTickerDateTime begins a day where UTC does, and
// QCPAxisTickerTime writes the same fields for 30 seconds and for 9 days.

#include <vector>

#include <QString>

#include "widgets/plot/series.h"

namespace trainyard::widgets {

struct TickMarks {
    std::vector<double> at;
    double step = 1;  ///< distance, for the number of decimals; 0: each tick has its own
};

/// About `wanted` ticks within [lower, upper].
TickMarks linear_ticks(double lower, double upper, int wanted, bool whole_numbers = false);
TickMarks time_ticks(double lower, double upper, int wanted);
/// Seconds since 1970 at full minutes, hours, days, months of the local clock.
TickMarks wall_ticks(double lower, double upper, int wanted);
/// 0 < lower < upper.
TickMarks log_ticks(double lower, double upper, int wanted);

struct AxisTick {
    double at = 0;
    QString text;
};
/// Numbers as axes write them.
std::vector<AxisTick> number_ticks(double lower, double upper, bool log, int wanted);
/// Of a horizontal axis in this unit.
std::vector<AxisTick> position_ticks(double lower, double upper, bool log, XUnit unit, int wanted);

}  // namespace trainyard::widgets
