#pragma once
// Products of matrices on one thread, c = a b with sums in fp32, compiled once for each instruction set (tile_products.cpp). Operands in
// bfloat16 and fp16 are widened while they are packed: where a processor has no products of a format, this costs little more than fp32.
// Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34, 2008. All strides are in elements.

#include <cstdint>

#include "models/kernels/number_format.h"

namespace trainyard::models {

/// A matrix in memory: rows of `stride` elements; `transposed` says that these are the columns of what is meant.
struct MatrixData {
    const void* data = nullptr;
    std::int64_t stride = 0;
    NumberFormat format = NumberFormat::fp32;
    bool transposed = false;
};

/// The left operand a [m, k] in fp32: rows, or packed in panels of TileProducts::rows rows.
struct LeftOperand {
    const float* data = nullptr;
    std::int64_t stride = 0;  ///< from a row, or a panel, to the next
    bool packed = false;
};

/// The right operand b [k, n], packed in panels of TileProducts::columns columns.
struct RightOperand {
    const float* data = nullptr;
    std::int64_t stride = 0;  ///< from a panel to the next
};

/// c = scale * a b + sums + bias, rounded to `format`. `sums` may be c itself when that is fp32.
struct ProductTarget {
    void* data = nullptr;
    std::int64_t stride = 0;
    NumberFormat format = NumberFormat::fp32;
    float scale = 1.0f;
    const float* sums = nullptr;  ///< [m, n], or null
    std::int64_t sums_stride = 0;
    const float* bias = nullptr;  ///< [n], or null
};

struct TileProducts {
    std::int64_t rows, columns;  ///< of c that lie in registers

    /// Columns of b [k, n] to a panel [k][columns]; what is beyond n becomes zero. `b` points to the first of them, 1 to `columns`.
    void (*pack_right)(const MatrixData& b, std::int64_t k, std::int64_t n, float* panel);
    /// Rows of a [m, k], whose transpose is what lies in memory, to panels [k][rows].
    void (*pack_left)(const MatrixData& a, std::int64_t m, std::int64_t k, float* panels);
    void (*multiply)(std::int64_t m, std::int64_t n, std::int64_t k, const LeftOperand& a, const RightOperand& b,
                     const ProductTarget& c);

    std::int64_t panels_of(std::int64_t n) const { return (n + columns - 1) / columns; }
};

/// Of the instruction set in use.
const TileProducts& tile_products();

/// All of b [k, n] in panels; `room` has panels_of(n) * k * columns elements.
RightOperand pack_whole(const MatrixData& b, std::int64_t k, std::int64_t n, float* room);

/// The matrix from a row and a column of what is meant on.
MatrixData part_of(const MatrixData& x, std::int64_t row, std::int64_t column);

}  // namespace trainyard::models
