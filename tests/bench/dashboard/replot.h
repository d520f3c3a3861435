// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Cost of drawing, on the real widgets.

#include <string>
#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::bench {

/// CPU seconds of this thread.
double thread_seconds();
/// Runs the event loop for this time.
void spin(int milliseconds);

/// `part`: single, many, page, updates or endless.
std::vector<Figure> replots(const std::string& part);

}  // namespace trainyard::bench
