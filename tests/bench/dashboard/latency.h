#pragma once
// How long a step needs from the file it is written into to the picture of its chart: gui.md P9, on this machine and from another one.

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

/// One figure: `run` grows by a step again and again, at any point of the reader's rhythm.
Figure step_latency(const char* id, const char* what, double target, test::FabricatedRun& run,
                    const widgets::Series& series, widgets::CurveChart& chart);

/// With real sshd (tests/hosts): a run that is mirrored, and a folder of logs. Needs `trainyard` built.
std::vector<Figure> over_ssh();

}  // namespace trainyard::bench
