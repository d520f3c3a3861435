// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sum of squares of fp32 elements in double precision, as norms of gradients need it (train/loop/gradient_norm.h).

#include <span>

namespace trainyard {

/// Adds partial sums in an order that depends on the number of elements alone: every number of threads gives the same
/// bits. `threads`: uses those of at::parallel_for(); false: the caller's alone.
double sum_of_squares(std::span<const float> numbers, bool threads);

}  // namespace trainyard
