// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products of tiles with vdpbf16ps, and the layout of their operands. Only for files compiled with -mavx512bf16.
//
// c[rows, columns] = a b: `a` is row-major bfloat16 with an even number of columns; `b` is stored in pairs: element
// [p][n] has b[2p][n] in its lower and b[2p + 1][n] in its upper half. A pair of a row of `a` is then one broadcast of
// 32 bits.

#include <cstdint>

#include <immintrin.h>

namespace trainyard::models {
namespace {

constexpr std::int64_t kTile = 64;
constexpr std::int64_t kLane = 16;
constexpr std::int64_t kRowGroup = 6;  // with 4 registers of columns: 24 sums, 4 of b, one broadcast

inline std::int64_t least(std::int64_t a, std::int64_t b) {
    return a < b ? a : b;
}

inline std::int64_t rounded_up(std::int64_t count, std::int64_t unit) {
    return (count + unit - 1) / unit * unit;
}

/// The first `count` lanes; none if count is below 1.
inline __mmask16 first_lanes(std::int64_t count) {
    if (count <= 0)
        return 0;
    return static_cast<__mmask16>(count >= kLane ? 0xffffu : (1u << count) - 1u);
}

/// Number of rows of 32-bit elements in an operand stored in pairs.
struct Pairs {
    std::uint32_t* data;
    std::int64_t stride;
};

template <int Rows, int Registers>
void product(std::int64_t pairs, const std::uint16_t* a, std::int64_t a_stride, const std::uint32_t* b,
             std::int64_t b_stride, float* c, std::int64_t c_stride, bool add) {
    __m512 sums[Rows][Registers];
#pragma GCC unroll 6
    for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
        for (int part = 0; part < Registers; ++part)
            sums[row][part] = add ? _mm512_loadu_ps(c + row * c_stride + part * kLane) : _mm512_setzero_ps();
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        __m512bh right[Registers];
#pragma GCC unroll 4
        for (int part = 0; part < Registers; ++part)
            right[part] = (__m512bh)_mm512_loadu_si512(b + pair * b_stride + part * kLane);
#pragma GCC unroll 6
        for (int row = 0; row < Rows; ++row) {
            int two;
            __builtin_memcpy(&two, a + row * a_stride + 2 * pair, sizeof two);
            auto left = (__m512bh)_mm512_set1_epi32(two);
#pragma GCC unroll 4
            for (int part = 0; part < Registers; ++part)
                sums[row][part] = _mm512_dpbf16_ps(sums[row][part], left, right[part]);
        }
    }
#pragma GCC unroll 6
    for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
        for (int part = 0; part < Registers; ++part)
            _mm512_storeu_ps(c + row * c_stride + part * kLane, sums[row][part]);
}

using Product = void (*)(std::int64_t, const std::uint16_t*, std::int64_t, const std::uint32_t*, std::int64_t, float*,
                         std::int64_t, bool);

template <int Rows>
inline constexpr Product kOfRows[4] = {&product<Rows, 1>, &product<Rows, 2>, &product<Rows, 3>, &product<Rows, 4>};
inline constexpr const Product* kProducts[kRowGroup] = {kOfRows<1>, kOfRows<2>, kOfRows<3>,
                                                        kOfRows<4>, kOfRows<5>, kOfRows<6>};

/// Up to kRowGroup rows; `columns` is rounded up to whole registers.
inline void multiply_rows(std::int64_t rows, std::int64_t columns, std::int64_t pairs, const std::uint16_t* a,
                          std::int64_t a_stride, const std::uint32_t* b, std::int64_t b_stride, float* c,
                          std::int64_t c_stride, bool add) {
    for (std::int64_t column = 0; column < columns; column += 4 * kLane) {
        std::int64_t registers = least(4, (columns - column + kLane - 1) / kLane);
        kProducts[rows - 1][registers - 1](pairs, a, a_stride, b + column, b_stride, c + column, c_stride, add);
    }
}

/// c = a b, or c += a b.
inline void multiply(std::int64_t rows, std::int64_t columns, std::int64_t pairs, const std::uint16_t* a,
                     std::int64_t a_stride, const std::uint32_t* b, std::int64_t b_stride, float* c,
                     std::int64_t c_stride, bool add) {
    for (std::int64_t row = 0; row < rows; row += kRowGroup)
        multiply_rows(least(kRowGroup, rows - row), columns, pairs, a + row * a_stride, a_stride, b, b_stride,
                      c + row * c_stride, c_stride, add);
}

/// Transposes 16 rows of 16 elements of 32 bits.
inline void transpose(__m512i (&x)[16]) {
    __m512i y[16];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        y[2 * i] = _mm512_unpacklo_epi32(x[2 * i], x[2 * i + 1]);
        y[2 * i + 1] = _mm512_unpackhi_epi32(x[2 * i], x[2 * i + 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        x[4 * i] = _mm512_unpacklo_epi64(y[4 * i], y[4 * i + 2]);
        x[4 * i + 1] = _mm512_unpackhi_epi64(y[4 * i], y[4 * i + 2]);
        x[4 * i + 2] = _mm512_unpacklo_epi64(y[4 * i + 1], y[4 * i + 3]);
        x[4 * i + 3] = _mm512_unpackhi_epi64(y[4 * i + 1], y[4 * i + 3]);
    }
    // Now x[4 i + j] contains, in its four quarters, the columns j, j + 4, j + 8, j + 12 of the rows 4 i to 4 i + 3.
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
        y[j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0x88);
        y[4 + j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0xdd);
        y[8 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0x88);
        y[12 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0xdd);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
        x[j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0x88);
        x[8 + j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0xdd);
        x[4 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0x88);
        x[12 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0xdd);
    }
}

/// Rows [count, depth] to pairs of the transpose, [depth / 2][row]; rows up to `room` (a multiple of 16) are set to
/// zero.
inline void pair_columns(const std::uint16_t* rows, std::int64_t stride, std::int64_t count, std::int64_t depth,
                         std::int64_t room, Pairs to) {
    std::int64_t pairs = depth / 2;
    for (std::int64_t row = 0; row < room; row += kLane)
        for (std::int64_t pair = 0; pair < pairs; pair += kLane) {
            __m512i block[16];
            __mmask16 there = first_lanes(pairs - pair);
#pragma GCC unroll 16
            for (int i = 0; i < 16; ++i)
                block[i] = row + i < count ? _mm512_maskz_loadu_epi32(there, rows + (row + i) * stride + 2 * pair)
                                           : _mm512_setzero_si512();
            transpose(block);
            for (std::int64_t i = 0; i < least(kLane, pairs - pair); ++i)
                _mm512_storeu_si512(to.data + (pair + i) * to.stride + row, block[i]);
        }
}

/// Rows [count, depth] to pairs of rows, [ceil(count / 2)][depth rounded up to 16], padded with zeros.
inline void pair_rows(const std::uint16_t* rows, std::int64_t stride, std::int64_t count, std::int64_t depth,
                      Pairs to) {
    for (std::int64_t row = 0; row < count; row += 2)
        for (std::int64_t column = 0; column < depth; column += kLane) {
            __mmask16 there = first_lanes(depth - column);
            const std::uint16_t* at = rows + row * stride + column;
            __m512i pair = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(there, at));
            if (row + 1 < count)
                pair = _mm512_or_si512(
                    pair, _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(there, at + stride)), 16));
            _mm512_storeu_si512(to.data + row / 2 * to.stride + column, pair);
        }
}

/// Pairs of columns [pairs][count] to rows of the transpose, [2 * pairs][count]. `count` is a multiple of 16.
inline void split_pairs(const std::uint32_t* from, std::int64_t from_stride, std::int64_t pairs, std::int64_t count,
                        std::uint16_t* rows, std::int64_t stride) {
    for (std::int64_t pair = 0; pair < pairs; ++pair)
        for (std::int64_t i = 0; i < count; i += kLane) {
            __m512i both = _mm512_loadu_si512(from + pair * from_stride + i);
            std::uint16_t* low = rows + 2 * pair * stride + i;
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(low), _mm512_cvtepi32_epi16(both));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(low + stride),
                                _mm512_cvtepi32_epi16(_mm512_srli_epi32(both, 16)));
        }
}

/// fp32 [depth][column] to bfloat16 rows [count, depth], multiplying each column by its `factors`.
inline void store_transposed(const float* from, std::int64_t from_stride, const float* factors, std::int64_t count,
                             std::int64_t depth, std::uint16_t* rows, std::int64_t stride) {
    for (std::int64_t column = 0; column < count; column += kLane) {
        __m512 factor = factors != nullptr ? _mm512_loadu_ps(factors + column) : _mm512_set1_ps(1.0f);
        for (std::int64_t row = 0; row < depth; row += kLane) {
            __m512i block[16];
            std::int64_t there = least(kLane, depth - row);
#pragma GCC unroll 16
            for (int i = 0; i < 16; ++i)
                block[i] = i < there ? _mm512_castps_si512(_mm512_mul_ps(
                                           _mm512_loadu_ps(from + (row + i) * from_stride + column), factor))
                                     : _mm512_setzero_si512();
            transpose(block);
            for (std::int64_t i = 0; i < least(kLane, count - column); ++i)
                _mm256_mask_storeu_epi16(rows + (column + i) * stride + row, first_lanes(there),
                                         (__m256i)_mm512_cvtneps_pbh(_mm512_castsi512_ps(block[i])));
        }
    }
}

/// fp32 rows to bfloat16 rows.
inline void store_rows(const float* from, std::int64_t from_stride, std::int64_t count, std::int64_t depth,
                       std::uint16_t* rows, std::int64_t stride) {
    for (std::int64_t row = 0; row < count; ++row)
        for (std::int64_t column = 0; column < depth; column += kLane)
            _mm256_mask_storeu_epi16(rows + row * stride + column, first_lanes(depth - column),
                                     (__m256i)_mm512_cvtneps_pbh(_mm512_loadu_ps(from + row * from_stride + column)));
}

/// 2^x with a relative error below 3e-7; 0 far below the range. A Taylor polynomial of degree 6 on [-1/2, 1/2].
inline __m512 exp2_of(__m512 x) {
    __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m512 rest = _mm512_sub_ps(x, whole);
    __m512 p = _mm512_set1_ps(1.5403530e-4f);
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.3333558e-3f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(9.6181291e-3f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(5.5504109e-2f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(2.4022651e-1f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(6.9314718e-1f));
    p = _mm512_fmadd_ps(p, rest, _mm512_set1_ps(1.0f));
    return _mm512_scalef_ps(p, whole);
}

/// Two rows rounded to bfloat16, concatenated.
inline __m512i rounded(__m512 first, __m512 second) {
    return (__m512i)_mm512_cvtne2ps_pbh(second, first);
}

/// The same as pairs.
inline __m512i paired(__m512i two_rows) {
    const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                           21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(order, two_rows);
}

}  // namespace
}  // namespace trainyard::models
