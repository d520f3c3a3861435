#pragma once
// What scatter plot and parallel coordinates have in common: the colour of a run by a column, and the numbers on an axis.

#include <vector>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/look.h"
#include "widgets/plot/sweep.h"

namespace trainyard::widgets {

/// From low to high: the heat colours of ui.md 12.2 (hover background, run colour 1, warning), without the faint beginning.
QColor sweep_heat(double share, const Look& look);
/// `axis` -1: the run's own colour. A run without a value there is textMuted.
QColor sweep_color(const Sweep& sweep, int run, int axis, const XRange& range, const Look& look);

/// About `wanted` ticks; the words of an axis of words, thinned.
std::vector<AxisTick> sweep_ticks(const SweepAxis& axis, const XRange& range, int wanted);
/// A value as it is written beside a name.
QString sweep_words(const SweepAxis& axis, double value);

}  // namespace trainyard::widgets
