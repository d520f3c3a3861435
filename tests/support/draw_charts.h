// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Charts as a user sees them once they are drawn.

#include "support/settle.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::test {

/// Waits as settle(), and draws what the charts in `widget` have not drawn yet.
inline void draw_charts(QWidget* widget) {
    settle();
    for (auto* chart : widget->findChildren<widgets::CurveChart*>())
        chart->flush();
    settle();
}

}  // namespace trainyard::test
