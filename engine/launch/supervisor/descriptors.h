// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Closes the inherited file descriptors that a forked process does not need.

#include <vector>

namespace trainyard::launch {

/// Closes all descriptors but standard input, output and error, and `kept`.
void close_all_but(const std::vector<int>& kept);

}  // namespace trainyard::launch
