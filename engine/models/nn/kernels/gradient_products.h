// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kernels for x^T dy of bfloat16 matrices with sums in fp32, compiled for AVX512_BF16 or AMX only, so the header
// contains nothing but pointers. All strides are in elements.

#include <cstdint>

namespace trainyard::models {

struct GradientProducts {
    std::int64_t rows;     ///< of x and dy, processed together
    std::int64_t columns;  ///< of a panel of dy
    std::int64_t x_unit;   ///< numbers of columns of x are multiples of it

    /// Packs columns [first, last) of x [count, ...], count <= rows, in the layout of the kernel: from `to` + column *
    /// `rows` on. `first` and `last` are multiples of x_unit.
    void (*pack_x)(const std::uint16_t* x, std::int64_t stride, std::int64_t count, std::int64_t first,
                   std::int64_t last, std::uint16_t* to);
    /// Packs `width` columns of dy [count, ...] (<= columns, a multiple of 16): `rows` / 2 * `columns` elements.
    void (*pack_dy)(const std::uint16_t* dy, std::int64_t stride, std::int64_t count, std::int64_t width,
                    std::uint32_t* panel);
    /// out[columns of x, width] (+)= packed x^T times a panel.
    void (*multiply)(std::int64_t x_columns, std::int64_t width, std::int64_t count, const std::uint16_t* x,
                     const std::uint32_t* panel, float* out, std::int64_t stride, bool add);
};

/// Those of AMX where LibTorch may use it, too (ONEDNN_MAX_CPU_ISA); nullptr if there are none.
const GradientProducts* gradient_products();

}  // namespace trainyard::models
