// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Single-threaded matrix products, c = a b with sums in fp32, compiled once per instruction set (tile_products.cpp).
// bfloat16 and fp16 operands are widened when they are packed; on processors without products of these formats that
// costs little more than fp32. Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34,
// 2008. All strides are in elements.

#include <cstdint>

#include "models/nn/kernels/number_format.h"

namespace trainyard::models {

/// A matrix in memory with rows of `stride` elements; `transposed`: these rows are the columns of the operand.
struct MatrixData {
    const void* data = nullptr;
    std::int64_t stride = 0;
    NumberFormat format = NumberFormat::fp32;
    bool transposed = false;
};

/// The left operand a [m, k] in fp32: rows, or panels of TileProducts::rows rows.
struct LeftOperand {
    const float* data = nullptr;
    std::int64_t stride = 0;  ///< from one row or panel to the next
    bool packed = false;
};

/// The right operand b [k, n] in panels of TileProducts::columns columns.
struct RightOperand {
    const float* data = nullptr;
    std::int64_t stride = 0;  ///< from one panel to the next
};

/// c = scale * a b + sums + bias, rounded to `format`. `sums` may be c itself if c is fp32.
struct ProductTarget {
    void* data = nullptr;
    std::int64_t stride = 0;
    NumberFormat format = NumberFormat::fp32;
    float scale = 1.0f;
    const float* sums = nullptr;  ///< [m, n], or nullptr
    std::int64_t sums_stride = 0;
    const float* bias = nullptr;  ///< [n], or nullptr
};

struct TileProducts {
    std::int64_t rows, columns;  ///< of c that are kept in registers

    /// Packs columns of b [k, n] into a panel [k][columns], padded with zeros. `b` points to the first of 1 to
    /// `columns` columns.
    void (*pack_right)(const MatrixData& b, std::int64_t k, std::int64_t n, float* panel);
    /// Packs rows of a [m, k], whose transpose is in memory, into panels [k][rows].
    void (*pack_left)(const MatrixData& a, std::int64_t m, std::int64_t k, float* panels);
    void (*multiply)(std::int64_t m, std::int64_t n, std::int64_t k, const LeftOperand& a, const RightOperand& b,
                     const ProductTarget& c);

    std::int64_t panels_of(std::int64_t n) const { return (n + columns - 1) / columns; }
};

/// For the current instruction set.
const TileProducts& tile_products();

/// Packs all of b [k, n]; `room` has panels_of(n) * k * columns elements.
RightOperand pack_whole(const MatrixData& b, std::int64_t k, std::int64_t n, float* room);

/// The matrix that starts at a row and column of the operand.
MatrixData part_of(const MatrixData& x, std::int64_t row, std::int64_t column);

}  // namespace trainyard::models
