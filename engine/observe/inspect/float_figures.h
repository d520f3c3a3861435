// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to statistics.h: figures of F32, BF16 and F16 at the speed of memory. Compiled with -O3, and for processors
// with AVX2, too.

#include <cstddef>
#include <span>
#include <string_view>

namespace trainyard::inspect {

struct Statistics;

Statistics float_figures(std::string_view dtype, std::span<const std::byte> elements);

/// Sums over two spans of equally many elements of these types, read as float.
struct Difference {
    double squares = 0;          ///< of b - a
    double base = 0;             ///< of a
    double largest = 0;          ///< |b - a|
    std::size_t changed = 0;     ///< elements that differ (NaN is the same as NaN)
    std::size_t not_finite = 0;  ///< elements that are not finite on either side, left out of the sums
    void add(const Difference& other);
};
Difference float_difference(std::span<const float> a, std::span<const float> b);

}  // namespace trainyard::inspect
