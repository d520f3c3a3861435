// SPDX-License-Identifier: GPL-3.0-or-later
// Products of weight gradients for processors with AVX512_BF16; see gradient_products.h.

#include "models/nn/kernels/bfloat16_tiles.h"
#include "models/nn/kernels/gradient_products.h"

namespace trainyard::models {

namespace {

// A panel of dy (64 KB) and 192 columns of x (as many KB) stay in the level 2 cache; results are written rarely.
constexpr std::int64_t kRows = 512;

void pack_x(const std::uint16_t* x, std::int64_t stride, std::int64_t count, std::int64_t first, std::int64_t last,
            std::uint16_t* to) {
    constexpr std::int64_t kWidth = 2 * kLane;
    alignas(64) std::uint32_t pairs[kLane * kTile];
    for (std::int64_t column = first; column < last; column += kWidth) {
        std::int64_t width = least(kWidth, last - column);
        for (std::int64_t row = 0; row < count; row += kTile) {
            pair_columns(x + row * stride + column, stride, least(kTile, count - row), width, kTile, {pairs, kTile});
            split_pairs(pairs, kTile, width / 2, kTile, to + column * kRows + row, kRows);
        }
    }
}

void pack_dy(const std::uint16_t* dy, std::int64_t stride, std::int64_t count, std::int64_t width,
             std::uint32_t* panel) {
    pair_rows(dy, stride, count, width, {panel, kTile});
}

void multiply_panel(std::int64_t x_columns, std::int64_t width, std::int64_t count, const std::uint16_t* x,
                    const std::uint32_t* panel, float* out, std::int64_t stride, bool add) {
    multiply(x_columns, width, (count + 1) / 2, x, kRows, panel, kTile, out, stride, add);
}

}  // namespace

extern const GradientProducts gradient_products_avx512bf16;
const GradientProducts gradient_products_avx512bf16{kRows, kTile, 2, &pack_x, &pack_dy, &multiply_panel};

}  // namespace trainyard::models
