// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A matrix that stays in memory as codes of 4 or 8 bits, and products with it: rows are decoded as they are needed, the
// whole matrix never is.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/weights/quantization/four_bit.h"
#include "formats/weights/quantization/quantized_source.h"

namespace trainyard::quantization {

/// Bytes of an element of a matrix in one of these formats, with its share of the magnitudes of blocks. Magnitudes of
/// rows and tables do not count.
double packed_element_bytes(const WeightQuantization& quantization);

/// A matrix with rows of `columns` values, as the rows of its transpose.
std::vector<float> transposed(std::span<const float> values, std::int64_t columns);

class PackedMatrix {
  public:
    /// Throws UserError if the weight is not a matrix.
    explicit PackedMatrix(FourBitWeight weight);
    /// LLM.int8: `codes` [rows, columns], a magnitude (SCB) for each row. Throws UserError if their counts differ.
    PackedMatrix(std::vector<std::int8_t> codes, std::vector<float> magnitudes, std::int64_t columns);
    PackedMatrix(PackedMatrix&&) = default;
    PackedMatrix& operator=(PackedMatrix&&) = default;
    /// `values` [rows, columns]; `dtype` as torch names it. Throws UserError if a value is not finite.
    static PackedMatrix encode(std::span<const float> values, std::int64_t columns,
                               const WeightQuantization& quantization, const std::string& dtype = "float32");

    /// Ranges of rows (`dimension` 0) or columns (1), half-open and rising.
    struct Interval {
        std::int64_t begin, end;
    };
    /// The rows or columns of these intervals, one after the other, with the same values. Blocks that begin elsewhere
    /// are divided, and have the magnitude of the whole one.
    PackedMatrix part(int dimension, std::span<const Interval> intervals) const;

    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    bool is_int8() const { return is_int8_; }
    std::string_view method() const { return is_int8() ? "int8" : std::string_view(four_bit_.options.type); }
    /// The type that the values had, as torch names it.
    const std::string& dtype() const { return four_bit_.options.dtype; }
    /// Of int8: row by row, and the magnitudes of rows.
    std::span<const std::int8_t> codes() const;
    std::span<const float> magnitudes() const { return magnitudes_; }
    /// The tensors of a file in the layout of bitsandbytes. `name`: of the weight.
    std::vector<StoredTensor> stored(const std::string& name) const;
    /// Uses the same codes elsewhere, such as in a mapped file, and frees its own. `keeper` owns the bytes. Throws
    /// UserError if their count differs.
    void place_codes(std::span<const std::byte> bytes, std::shared_ptr<const void> keeper);
    /// Bytes in memory of codes, magnitudes and tables; not of codes that are elsewhere.
    std::uint64_t bytes() const;

    /// Rows [first, first + count) in fp32: `out` has count * columns() elements.
    void decode_rows(std::int64_t first, std::int64_t count, std::span<float> out) const;

    /// Vectors prepared once for the products with all rows.
    struct Input {
        std::int64_t vectors = 0;
        std::span<const float> values;        ///< as given
        std::vector<float> halves;            ///< of each, elements at even places, then those at odd places
        std::vector<std::uint16_t> bfloat16;  ///< the same in bfloat16, for products of bfloat16 pairs
    };
    /// `x` has vectors of columns() elements and outlives the result. `is_bfloat16`: they are of this type; then
    /// the values of 4-bit codes are rounded to it where the processor multiplies pairs of such numbers.
    Input prepare(std::span<const float> x, bool is_bfloat16 = false) const;
    /// out[n * stride + i] = row (first + i) * vector n, for `count` rows.
    void multiply(const Input& x, std::int64_t first, std::int64_t count, float* out, std::int64_t stride) const;

  private:
    /// Those of blocks [first, first + count), in `room` unless they are in memory.
    const float* block_magnitudes(std::size_t first, std::size_t count, std::vector<float>& room) const;

    std::int64_t rows_ = 0, columns_ = 0;
    FourBitWeight four_bit_;              ///< absmax is empty with double quantization: `nested` has the magnitudes
    std::vector<std::int8_t> own_codes_;  ///< of int8
    std::span<const std::byte> codes_;    ///< its own, or what place_codes() named
    std::shared_ptr<const void> keeper_;
    std::vector<float> magnitudes_;
    bool is_int8_ = false;
};

}  // namespace trainyard::quantization
