// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// P14: a log of a million lines in the real widget.

#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::bench {

std::vector<Figure> log_figures();

}  // namespace trainyard::bench
