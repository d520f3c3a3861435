// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The matrix unit (AMX) for bfloat16: eight tiles of 16 rows of 64 bytes, and products of operands in the layout of
// bfloat16_tiles.h with them. Only for files compiled with -mamx-bf16. Intel, "Instruction set extensions programming
// reference", TDPBF16PS.

#include <cstddef>
#include <cstdint>

#include "models/nn/kernels/bfloat16_tiles.h"

namespace trainyard::models {
namespace {

constexpr std::int64_t kSide = 16;   ///< rows of a tile
constexpr std::int64_t kDepth = 32;  ///< bfloat16 numbers in a row of a tile
constexpr int kRowBytes = 64;

struct alignas(64) TileConfiguration {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {kRowBytes, kRowBytes, kRowBytes, kRowBytes,
                                   kRowBytes, kRowBytes, kRowBytes, kRowBytes};
    std::uint8_t rows[16] = {kSide, kSide, kSide, kSide, kSide, kSide, kSide, kSide};
};

/// Sets the tiles' shapes during its lifetime; LibTorch's kernels, which have tiles of their own, find theirs again.
class UseTiles {
  public:
    UseTiles() {
        static constexpr TileConfiguration kOwn;
        _tile_storeconfig(before_);
        _tile_loadconfig(&kOwn);
    }
    ~UseTiles() { _tile_loadconfig(before_); }
    UseTiles(const UseTiles&) = delete;
    UseTiles& operator=(const UseTiles&) = delete;

  private:
    // Not initialised: the compiler believes that the instruction writes 8 bytes, and could write the others later.
    alignas(64) std::byte before_[sizeof(TileConfiguration)];
};

/// As multiply() of bfloat16_tiles.h, within the life of UseTiles. What is not whole tiles is left to vdpbf16ps.
inline void multiply_tiles_of_pairs(std::int64_t rows, std::int64_t columns, std::int64_t pairs, const std::uint16_t* a,
                                    std::int64_t a_stride, const std::uint32_t* b, std::int64_t b_stride, float* c,
                                    std::int64_t c_stride, bool add) {
    const std::int64_t whole_rows = rows / kSide * kSide, whole_pairs = pairs / kSide * kSide;
    if (whole_pairs == 0)
        return multiply(rows, columns, pairs, a, a_stride, b, b_stride, c, c_stride, add);
    for (std::int64_t row = 0; row < whole_rows; row += kSide)
        for (std::int64_t column = 0; column < columns; column += 4 * kSide) {
            const std::int64_t tiles = least(4, (columns - column + kSide - 1) / kSide);
            float* const to = c + row * c_stride + column;
            const std::int64_t to_bytes = c_stride * 4, b_bytes = b_stride * 4;
            // A tile is a number in the instruction, so that each of the four has lines of its own.
            if (add) {
                _tile_loadd(0, to, to_bytes);
                if (tiles > 1)
                    _tile_loadd(1, to + kSide, to_bytes);
                if (tiles > 2)
                    _tile_loadd(2, to + 2 * kSide, to_bytes);
                if (tiles > 3)
                    _tile_loadd(3, to + 3 * kSide, to_bytes);
            } else {
                _tile_zero(0);
                _tile_zero(1);
                _tile_zero(2);
                _tile_zero(3);
            }
            for (std::int64_t pair = 0; pair < whole_pairs; pair += kSide) {
                const std::uint32_t* const right = b + pair * b_stride + column;
                _tile_loadd(4, a + row * a_stride + 2 * pair, a_stride * 2);
                _tile_loadd(5, right, b_bytes);
                _tile_dpbf16ps(0, 4, 5);
                if (tiles > 1) {
                    _tile_loadd(6, right + kSide, b_bytes);
                    _tile_dpbf16ps(1, 4, 6);
                }
                if (tiles > 2) {
                    _tile_loadd(5, right + 2 * kSide, b_bytes);
                    _tile_dpbf16ps(2, 4, 5);
                }
                if (tiles > 3) {
                    _tile_loadd(6, right + 3 * kSide, b_bytes);
                    _tile_dpbf16ps(3, 4, 6);
                }
            }
            _tile_stored(0, to, to_bytes);
            if (tiles > 1)
                _tile_stored(1, to + kSide, to_bytes);
            if (tiles > 2)
                _tile_stored(2, to + 2 * kSide, to_bytes);
            if (tiles > 3)
                _tile_stored(3, to + 3 * kSide, to_bytes);
        }
    if (whole_pairs < pairs)
        multiply(whole_rows, columns, pairs - whole_pairs, a + 2 * whole_pairs, a_stride, b + whole_pairs * b_stride,
                 b_stride, c, c_stride, true);
    if (whole_rows < rows)
        multiply(rows - whole_rows, columns, pairs, a + whole_rows * a_stride, a_stride, b, b_stride,
                 c + whole_rows * c_stride, c_stride, add);
}

}  // namespace
}  // namespace trainyard::models
