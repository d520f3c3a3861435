// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batching of what ranks print and report. Every wake-up costs CPU time that the ranks need, so the supervisor and the agents read in intervals
// instead of at each line. They read at once in the first seconds of a generation, when failures are most likely, and while a rank prints a lot.

#include <cstddef>

namespace trainyard::launch {

constexpr double kBatchingInterval = 0.05;  ///< seconds between two reads
constexpr double kBatchingDelay = 5;        ///< seconds from the start of a generation until batching begins
constexpr std::size_t kBatchingMaxOutput =
    16u << 10;  ///< bytes of output in one interval above which reads are not delayed

}  // namespace trainyard::launch
