// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a chart shows, as points: for tables and files.

#include <vector>

#include <QString>

#include "widgets/plot/reduction.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

/// The points of the curves a chart shows, independent of the chart from then on.
struct ChartValues {
    struct Column {
        QString name;
        Series series;
        XScale scale;
    };
    std::vector<Column> columns;
    XRange range;
    bool in_sight = false;
};

}  // namespace trainyard::widgets
