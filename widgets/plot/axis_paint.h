#pragma once
// Grid and numbers of an axis for the widgets that are no plots (bars, ridges, dots, an hour of load): the same lines, colours and
// places as QCustomPlot gives the charts of curves, without its plot, of which each keeps some 100 kB and a layout of its own.

#include <functional>
#include <vector>

#include <QPainter>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/look.h"

namespace trainyard::widgets {

enum class AxisEdge { Left, Bottom };

/// A line through `area` for each tick and its words outside of it. `pixel` gives the place of a value. Words of a left axis longer than
/// `room` lose their middle; those of a bottom axis stay between the ends of the area. The figure is not mirrored in
/// languages from right to left: numbers grow and time goes to the right, and the numbers stand left of the lines.
void paint_axis(QPainter& painter, AxisEdge edge, const QRectF& area, const std::vector<AxisTick>& ticks,
                const std::function<double(double value)>& pixel, const Look& look, double room = 0);

}  // namespace trainyard::widgets
