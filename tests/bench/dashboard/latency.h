// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Time from writing a step to the repainted chart, on this machine and from another one.

#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::test {
class FabricatedRun;
}
namespace trainyard::widgets {
class CurveChart;
class Series;
}  // namespace trainyard::widgets

namespace trainyard::bench {

/// One figure: `run` is extended by a step repeatedly, at random points of the reader's polling interval.
Figure step_latency(const char* id, const char* what, double target, test::FabricatedRun& run,
                    const widgets::Series& series, widgets::CurveChart& chart);

/// With real sshd (tests/hosts): a mirrored run, and a folder of logs. `trainyard` must be built.
std::vector<Figure> over_ssh();

}  // namespace trainyard::bench
