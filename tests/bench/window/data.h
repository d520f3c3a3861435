// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The preview of data and the dialog of the hub (P16): no part of them holds the event loop for longer than 50 ms, and
// a selected row is painted within a frame.

#include <vector>

#include "bench/engine/figure.h"

namespace trainyard::bench {

std::vector<Figure> data_figures();

}  // namespace trainyard::bench
