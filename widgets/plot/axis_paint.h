// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints grid and numbers of an axis for widgets without QCustomPlot (bars, ridges, dots, an hour of load), in the same
// lines, colours and places as the charts of curves. A QCustomPlot instance would cost each widget some 100 kB and a
// layout of its own.

#include <functional>
#include <vector>

#include <QPainter>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/look.h"

namespace trainyard::widgets {

enum class AxisEdge { Left, Bottom };

/// Paints a line through `area` for each tick and its label outside of `area`. `pixel` maps a value to its position.
/// Labels of a left axis that are longer than `room` are elided in the middle; those of a bottom axis stay within the
/// ends of the area. The figure is not mirrored in right-to-left languages: numbers and time increase to the right, and
/// the labels are left of the lines.
void paint_axis(QPainter& painter, AxisEdge edge, const QRectF& area, const std::vector<AxisTick>& ticks,
                const std::function<double(double value)>& pixel, const Look& look, double room = 0);

}  // namespace trainyard::widgets
