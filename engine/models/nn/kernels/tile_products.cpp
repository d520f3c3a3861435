// SPDX-License-Identifier: GPL-3.0-or-later
// Products for one instruction set: the build defines TRAINYARD_ISA and sets the matching -m flags. See
// tile_products.h.

#include "models/nn/kernels/tile_products.h"

#include "base/isa_names.h"
#include "models/nn/kernels/half_formats.h"

namespace trainyard::models {

namespace {

// A tile of c stays in registers: rows x vectors of sums, the vectors of a row of b, and a broadcast element of a.
#if defined(__AVX512F__)
constexpr int kTileLanes = 16, kTileRows = 12, kTileVectors = 2;
#elif defined(__AVX2__)
constexpr int kTileLanes = 8, kTileRows = 6, kTileVectors = 2;
#else
constexpr int kTileLanes = 4, kTileRows = 4, kTileVectors = 2;
#endif
constexpr int kTileColumns = kTileLanes * kTileVectors;
constexpr std::int64_t kAhead = 8;  ///< rows of b: a panel of it fills the first cache

typedef float Vector __attribute__((vector_size(4 * kTileLanes), aligned(4), may_alias));

inline Vector load(const float* at) {
    return *reinterpret_cast<const Vector*>(at);
}
inline void store(float* at, Vector x) {
    *reinterpret_cast<Vector*>(at) = x;
}

std::int64_t smaller(std::int64_t a, std::int64_t b) {
    return a < b ? a : b;
}

/// A row as fp32: in place, or widened into `room`.
inline const float* wide_row(const MatrixData& x, std::int64_t at, std::int64_t count, float* room) {
    switch (x.format) {
        case NumberFormat::fp32:
            return static_cast<const float*>(x.data) + at;
        case NumberFormat::bf16:
            Bfloat16Format::widen(static_cast<const std::uint16_t*>(x.data) + at, room, count);
            break;
        case NumberFormat::fp16:
            HalfFormat::widen(static_cast<const std::uint16_t*>(x.data) + at, room, count);
            break;
    }
    return room;
}

/// Transposes up to 16 rows of up to 16 elements, `from_stride` apart, to columns `to_stride` apart.
void transpose_small(const float* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns, float* to,
                     std::int64_t to_stride) {
#ifdef __AVX2__
    if (rows == 8 && columns == 8) {
        __m256 x[8], y[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i)
            x[i] = _mm256_loadu_ps(from + i * from_stride);
#pragma GCC unroll 4
        for (int i = 0; i < 8; i += 2) {
            y[i] = _mm256_unpacklo_ps(x[i], x[i + 1]);
            y[i + 1] = _mm256_unpackhi_ps(x[i], x[i + 1]);
        }
#pragma GCC unroll 2
        for (int i = 0; i < 8; i += 4) {
            x[i] = _mm256_shuffle_ps(y[i], y[i + 2], 0x44);
            x[i + 1] = _mm256_shuffle_ps(y[i], y[i + 2], 0xee);
            x[i + 2] = _mm256_shuffle_ps(y[i + 1], y[i + 3], 0x44);
            x[i + 3] = _mm256_shuffle_ps(y[i + 1], y[i + 3], 0xee);
        }
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            _mm256_storeu_ps(to + i * to_stride, _mm256_permute2f128_ps(x[i], x[i + 4], 0x20));
            _mm256_storeu_ps(to + (i + 4) * to_stride, _mm256_permute2f128_ps(x[i], x[i + 4], 0x31));
        }
        return;
    }
#endif
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            to[column * to_stride + row] = from[row * from_stride + column];
}

void pack_right_rows(const MatrixData& b, std::int64_t k, std::int64_t n, float* panel) {
    alignas(64) float room[kTileColumns];
    for (std::int64_t row = 0; row < k; ++row) {
        float* to = panel + row * kTileColumns;
        if (n == kTileColumns) {
            const float* from = wide_row(b, row * b.stride, kTileColumns, room);
#pragma GCC unroll 4
            for (int part = 0; part < kTileVectors; ++part)
                store(to + part * kTileLanes, load(from + part * kTileLanes));
        } else {
            const float* from = wide_row(b, row * b.stride, n, room);
            for (std::int64_t column = 0; column < kTileColumns; ++column)
                to[column] = column < n ? from[column] : 0.0f;
        }
    }
}

void pack_right(const MatrixData& b, std::int64_t k, std::int64_t n, float* panel) {
    if (!b.transposed)
        return pack_right_rows(b, k, n, panel);
    // Columns of b are rows in memory: parts of several of them are transposed together.
    constexpr std::int64_t kPiece = 64, kSide = 8;
    alignas(64) float room[kSide * kPiece];
    for (std::int64_t begin = 0; begin < k; begin += kPiece) {
        std::int64_t size = smaller(kPiece, k - begin);
        for (std::int64_t column = 0; column < kTileColumns; column += kSide) {
            const float* from = room;
            std::int64_t stride = kPiece;
            if (b.format == NumberFormat::fp32 && column + kSide <= n) {
                from = static_cast<const float*>(b.data) + column * b.stride + begin;
                stride = b.stride;
            } else {
                for (std::int64_t i = 0; i < kSide; ++i) {
                    float* to = room + i * kPiece;
                    bool there = column + i < n;
                    const float* wide = there ? wide_row(b, (column + i) * b.stride + begin, size, to) : to;
                    for (std::int64_t j = 0; j < size && (!there || wide != to); ++j)
                        to[j] = there ? wide[j] : 0.0f;
                }
            }
            for (std::int64_t i = 0; i < size; i += kSide)
                transpose_small(from + i, stride, kSide, smaller(kSide, size - i),
                                panel + (begin + i) * kTileColumns + column, kTileColumns);
        }
    }
}

void pack_left(const MatrixData& a, std::int64_t m, std::int64_t k, float* panels) {
    // A row in memory is divided into parts of kTileRows, one for each panel.
    constexpr std::int64_t kWidest = 256 / kTileRows * kTileRows;
    alignas(64) float room[kWidest];
    for (std::int64_t first = 0; first < m; first += kWidest) {
        std::int64_t width = smaller(kWidest, m - first), whole = width / kTileRows * kTileRows;
        for (std::int64_t at = 0; at < k; ++at) {
            const float* row = wide_row(a, at * a.stride + first, width, room);
            float* to = panels + first * k + at * kTileRows;
            for (std::int64_t i = 0; i < whole; i += kTileRows)
                __builtin_memcpy(to + i * k, row + i, kTileRows * sizeof(float));
            for (std::int64_t i = whole; i < width; ++i)
                to[whole * k + i - whole] = row[i];
        }
    }
}

template <int Rows, bool Packed>
void tile_sums(std::int64_t k, const float* a, std::int64_t stride, const float* b, float* tile) {
    Vector sums[Rows][kTileVectors];
#pragma GCC unroll 16
    for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
        for (int part = 0; part < kTileVectors; ++part)
            sums[row][part] = Vector{};
    // Rows that are not packed are addressed from every third one: a pointer to each does not fit the registers.
    constexpr int kNear = 3, kGroups = (Rows + kNear - 1) / kNear;
    const std::int64_t row_bytes = stride * std::int64_t{sizeof(float)};
    const char* groups[kGroups];
#pragma GCC unroll 16
    for (int group = 0; group < kGroups; ++group)
        groups[group] = reinterpret_cast<const char*>(a) + (Packed ? 0 : group * kNear * row_bytes);
    for (std::int64_t i = 0; i < k; ++i) {
        Vector right[kTileVectors];
#pragma GCC unroll 4
        for (int part = 0; part < kTileVectors; ++part) {
            right[part] = load(b + part * kTileLanes);
            __builtin_prefetch(b + kAhead * kTileColumns + part * kTileLanes);
        }
        b += kTileColumns;
#pragma GCC unroll 16
        for (int row = 0; row < Rows; ++row) {
            const char* near = groups[row / kNear] + row % kNear * row_bytes;
            float element = Packed ? a[row] : *reinterpret_cast<const float*>(near);
            Vector left = element - Vector{};
#pragma GCC unroll 4
            for (int part = 0; part < kTileVectors; ++part)
                sums[row][part] += left * right[part];
        }
        a += kTileRows;
#pragma GCC unroll 16
        for (int group = 0; group < kGroups; ++group) {
            groups[group] += sizeof(float);
            asm("" : "+r"(groups[group]));  // else the compiler makes a pointer for each row
        }
    }
#pragma GCC unroll 16
    for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
        for (int part = 0; part < kTileVectors; ++part)
            store(tile + row * kTileColumns + part * kTileLanes, sums[row][part]);
}

using TileSums = void (*)(std::int64_t, const float*, std::int64_t, const float*, float*);

template <bool Packed, int... Numbers>
struct SumsByRows {
    static constexpr TileSums table[] = {&tile_sums<Numbers, Packed>...};
};
#if defined(__AVX512F__)
template <bool Packed>
using Sums = SumsByRows<Packed, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12>;
#elif defined(__AVX2__)
template <bool Packed>
using Sums = SumsByRows<Packed, 1, 2, 3, 4, 5, 6>;
#else
template <bool Packed>
using Sums = SumsByRows<Packed, 1, 2, 3, 4>;
#endif

/// Writes fp32 values to `count` elements of a row of c, starting at `at`.
inline void store_row(const float* line, const ProductTarget& c, std::int64_t at, std::int64_t count) {
    switch (c.format) {
        case NumberFormat::fp32:
            for (std::int64_t i = 0; i < count; ++i)
                static_cast<float*>(c.data)[at + i] = line[i];
            return;
        case NumberFormat::bf16:
            return Bfloat16Format::narrow(line, static_cast<std::uint16_t*>(c.data) + at, count);
        case NumberFormat::fp16:
            return HalfFormat::narrow(line, static_cast<std::uint16_t*>(c.data) + at, count);
    }
}

/// Fetches the elements of c that a row of a tile is written to.
inline void prefetch_row(const ProductTarget& c, std::int64_t at) {
    const std::int64_t size = c.format == NumberFormat::fp32 ? sizeof(float) : sizeof(std::uint16_t);
    constexpr std::int64_t kLine = 64;
    for (std::int64_t byte = 0; byte < kTileColumns * size; byte += kLine)
        __builtin_prefetch(static_cast<const char*>(c.data) + at * size + byte, 1);
}

/// Writes a tile's sums to c.
void finish_tile(float* tile, std::int64_t rows, std::int64_t columns, std::int64_t first_row,
                 std::int64_t first_column, const ProductTarget& c) {
    const float* bias = c.bias != nullptr ? c.bias + first_column : nullptr;
    for (std::int64_t row = 0; row < rows; ++row) {
        float* line = tile + row * kTileColumns;
        const float* sums = c.sums != nullptr ? c.sums + (first_row + row) * c.sums_stride + first_column : nullptr;
        std::int64_t at = (first_row + row) * c.stride + first_column;
        if (columns < kTileColumns) {
            for (std::int64_t i = 0; i < columns; ++i)
                line[i] = line[i] * c.scale + (sums != nullptr ? sums[i] : 0.0f) + (bias != nullptr ? bias[i] : 0.0f);
            store_row(line, c, at, columns);
            continue;
        }
        bool direct = c.format == NumberFormat::fp32;
        float* to = direct ? static_cast<float*>(c.data) + at : line;
#pragma GCC unroll 4
        for (int part = 0; part < kTileVectors; ++part) {
            Vector x = load(line + part * kTileLanes) * c.scale;
            if (sums != nullptr)
                x += load(sums + part * kTileLanes);
            if (bias != nullptr)
                x += load(bias + part * kTileLanes);
            store(to + part * kTileLanes, x);
        }
        if (!direct)
            store_row(line, c, at, kTileColumns);
    }
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const LeftOperand& a, const RightOperand& b,
              const ProductTarget& c) {
    alignas(64) float tile[kTileRows * kTileColumns];
    for (std::int64_t column = 0; column < n; column += kTileColumns) {
        const float* panel = b.data + column / kTileColumns * b.stride;
        for (std::int64_t row = 0; row < m; row += kTileRows) {
            std::int64_t rows = smaller(kTileRows, m - row);
            for (std::int64_t i = 0; i < rows; ++i)
                prefetch_row(c, (row + i) * c.stride + column);
            if (a.packed)
                Sums<true>::table[rows - 1](k, a.data + row / kTileRows * a.stride, 0, panel, tile);
            else
                Sums<false>::table[rows - 1](k, a.data + row * a.stride, a.stride, panel, tile);
            finish_tile(tile, rows, smaller(kTileColumns, n - column), row, column, c);
        }
    }
}

}  // namespace

extern const TileProducts TRAINYARD_FOR_ISA(tile_products);
const TileProducts TRAINYARD_FOR_ISA(tile_products){kTileRows, kTileColumns, &pack_right, &pack_left, &multiply};

}  // namespace trainyard::models
