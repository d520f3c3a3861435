// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kernels for x^T dy of bfloat16 matrices with sums in fp32, compiled for AVX512_BF16 only, so the header contains
// nothing but pointers. All strides are in elements.

#include <cstdint>

namespace trainyard::models {

struct GradientProducts {
    std::int64_t rows;     ///< of x and dy, processed together
    std::int64_t columns;  ///< of a panel of dy

    /// Packs columns [first, last) of x [count, ...], count <= rows, as the rows of `to`, each of length `rows`.
    /// `first` and `last` are even.
    void (*pack_x)(const std::uint16_t* x, std::int64_t stride, std::int64_t count, std::int64_t first,
                   std::int64_t last, std::uint16_t* to);
    /// Packs `width` columns of dy [count, ...] (<= columns, a multiple of 16) as pairs of rows, each of length
    /// `columns`.
    void (*pack_dy)(const std::uint16_t* dy, std::int64_t stride, std::int64_t count, std::int64_t width,
                    std::uint32_t* panel);
    /// out[columns of x, width] (+)= packed x^T times a panel.
    void (*multiply)(std::int64_t x_columns, std::int64_t width, std::int64_t count, const std::uint16_t* x,
                     const std::uint32_t* panel, float* out, std::int64_t stride, bool add);
};

/// nullptr if they cannot or should not be used.
const GradientProducts* gradient_products();

}  // namespace trainyard::models
