// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stochastic rounding to bfloat16: a value becomes one of its two neighbours, each with the probability of its
// nearness,
// so that updates below half a unit in the last place add up. Zamirai et al., "Revisiting BFloat16 training", 2020.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace trainyard::optim {

/// Rounds elements of a parameter, fp32 and contiguous, in place. `key` is the parameter's, `update` the number of the
/// update, `first` the place of the first element in the whole parameter: the results depend on these alone, whatever
/// ranks and threads there are.
void round_stochastically(const at::Tensor& values, std::uint64_t key, std::int64_t update, std::int64_t first = 0);

}  // namespace trainyard::optim
