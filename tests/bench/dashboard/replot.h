#pragma once
// What drawing costs: gui.md P1 to P6, on the real widgets.

#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::bench {

/// CPU seconds of this thread.
double thread_seconds();
/// Runs the event loop for so long.
void spin(int milliseconds);

std::vector<Figure> replots();

}  // namespace trainyard::bench
