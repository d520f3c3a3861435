// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window follows a host that lies: its run on the run page, its answers on the page of hosts.

#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::bench {

/// Needs a QApplication, and folders of its own in the environment (TRAINYARD_RUNS, XDG_*). Takes
/// $TRAINYARD_HOSTILE_SECONDS (60); the lies begin with $TRAINYARD_HOSTILE_SEED (1).
std::vector<Figure> hostile_figures();

}  // namespace trainyard::bench
