// SPDX-License-Identifier: GPL-3.0-or-later
// Products of weight gradients for processors with AMX's tiles of bfloat16; see gradient_products.h. Operands are packed
// as tiles of 1 KB, one after the other along the rows: of x 16 columns with 32 rows each, of dy 16 pairs of rows with
// 16 columns each. Intel, "Instruction set extensions programming reference", TDPBF16PS.

#include "models/nn/kernels/bfloat16_tiles.h"
#include "models/nn/kernels/gradient_products.h"
#include "models/nn/kernels/matrix_tiles.h"

namespace trainyard::models {

namespace {

constexpr std::int64_t kRows = 512;
constexpr std::int64_t kOfTile = kSide * kDepth;    ///< bfloat16 numbers in a tile
constexpr std::int64_t kOfColumns = kSide * kRows;  ///< bfloat16 numbers in the tiles of 16 columns

void pack_x(const std::uint16_t* x, std::int64_t stride, std::int64_t count, std::int64_t first, std::int64_t last,
            std::uint16_t* to) {
    alignas(64) std::uint32_t pairs[kLane / 2 * kTile];
    for (std::int64_t column = first; column < last; column += kSide)
        for (std::int64_t row = 0; row < count; row += kTile) {
            pair_columns(x + row * stride + column, stride, least(kTile, count - row), kSide, kTile, {pairs, kTile});
            for (std::int64_t begin = 0; begin < kTile; begin += kDepth)
                split_pairs(pairs + begin, kTile, kSide / 2, kDepth,
                            to + column * kRows + (row + begin) / kDepth * kOfTile, kDepth);
        }
}

void pack_dy(const std::uint16_t* dy, std::int64_t stride, std::int64_t count, std::int64_t width,
             std::uint32_t* panel) {
    const std::int64_t pairs = (count + 1) / 2, room = rounded_up(count, kDepth) / 2;
    for (std::int64_t column = 0; column < width; column += kSide) {
        std::uint32_t* to = panel + column * (kRows / 2);
        pair_rows(dy + column, stride, count, kSide, {to, kSide});
        for (std::int64_t pair = pairs; pair < room; ++pair)
            _mm512_storeu_si512(to + pair * kSide, _mm512_setzero_si512());
    }
}

template <int Rows, int Columns>
void multiply_tiles(std::int64_t tiles, const std::uint16_t* x, const std::uint16_t* dy, float* out,
                    std::int64_t stride, bool add) {
    static_assert(Rows <= 2 && Columns <= 2);
    const std::int64_t bytes = stride * 4;
    float* const below = out + kSide * stride;
    if (add) {
        _tile_loadd(0, out, bytes);
        if constexpr (Columns == 2)
            _tile_loadd(1, out + kSide, bytes);
        if constexpr (Rows == 2)
            _tile_loadd(2, below, bytes);
        if constexpr (Rows == 2 && Columns == 2)
            _tile_loadd(3, below + kSide, bytes);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (std::int64_t tile = 0; tile < tiles; ++tile, x += kOfTile, dy += kOfTile) {
        _tile_loadd(6, dy, kRowBytes);
        _tile_loadd(4, x, kRowBytes);
        _tile_dpbf16ps(0, 4, 6);
        if constexpr (Columns == 2) {
            _tile_loadd(7, dy + kOfColumns, kRowBytes);
            _tile_dpbf16ps(1, 4, 7);
        }
        if constexpr (Rows == 2) {
            _tile_loadd(5, x + kOfColumns, kRowBytes);
            _tile_dpbf16ps(2, 5, 6);
        }
        if constexpr (Rows == 2 && Columns == 2)
            _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, out, bytes);
    if constexpr (Columns == 2)
        _tile_stored(1, out + kSide, bytes);
    if constexpr (Rows == 2)
        _tile_stored(2, below, bytes);
    if constexpr (Rows == 2 && Columns == 2)
        _tile_stored(3, below + kSide, bytes);
}

void multiply_panel(std::int64_t x_columns, std::int64_t width, std::int64_t count, const std::uint16_t* x,
                    const std::uint32_t* panel, float* out, std::int64_t stride, bool add) {
    constexpr std::int64_t kTwo = 2 * kSide;
    const UseTiles tiles_in_use;
    const std::int64_t tiles = (count + kDepth - 1) / kDepth;
    const auto* dy = reinterpret_cast<const std::uint16_t*>(panel);
    for (std::int64_t column = 0; column < width; column += kTwo)
        for (std::int64_t row = 0; row < x_columns; row += kTwo) {
            const bool two_rows = x_columns - row >= kTwo, two_columns = width - column >= kTwo;
            const auto product = two_rows ? (two_columns ? &multiply_tiles<2, 2> : &multiply_tiles<2, 1>)
                                          : (two_columns ? &multiply_tiles<1, 2> : &multiply_tiles<1, 1>);
            product(tiles, x + row * kRows, dy + column * kRows, out + row * stride + column, stride, add);
        }
}

}  // namespace

extern const GradientProducts gradient_products_amx;
const GradientProducts gradient_products_amx{kRows, kTile, kSide, &pack_x, &pack_dy, &multiply_panel};

}  // namespace trainyard::models
