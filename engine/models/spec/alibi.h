// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ALiBi: attention scores grow with the position of the key, by another slope in each head, so that near keys count
// more than distant ones. Press, Smith and Lewis, "Train short, test long: attention with linear biases enables input
// length extrapolation", ICLR 2022.

#include <cstdint>
#include <vector>

namespace trainyard::families {

/// The slope of each head: 2^(-largest / heads), its square, its cube ... If the number of heads is not a power of two,
/// the slopes of the power below it, then every other one of twice that power, as transformers has them.
std::vector<float> alibi_slopes(std::int64_t heads, double largest = 8);

}  // namespace trainyard::families
