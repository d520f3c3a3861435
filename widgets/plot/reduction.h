// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reduced columns (column_reduction.h) as points of Qt, for painting.

#include <vector>

#include <QPointF>

#include "widgets/plot/column_reduction.h"

namespace trainyard::widgets {

/// The points of reduce().
std::vector<QPointF> reduced(const Reducible& data, const XScale& scale, const XRange& range, int columns);

/// Lower and upper edge of the values, one pair per column with values, for the band. `lower` and `upper` have equal
/// length.
struct Band {
    std::vector<QPointF> lower;
    std::vector<QPointF> upper;
};
Band band(const Series& series, const XScale& scale, const XRange& range, int columns);

}  // namespace trainyard::widgets
