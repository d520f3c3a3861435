#pragma once
// What a process that was forked has open without needing it.

#include <vector>

namespace trainyard::launch {

/// Closes all descriptors but standard input, output and error, and `kept`.
void close_all_but(const std::vector<int>& kept);

}  // namespace trainyard::launch
