// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights in fp8 whose scales are a tensor of their own: a value is its code times the scale of its block. Of a weight
// `x.weight` files have `x.weight_scale_inv` (DeepSeek, transformers: blocks of 128 x 128) or `x.weight_scale`
// (compressed-tensors, ModelOpt: one scale, or one for each row; MXFP8: one for 32 elements of a row). Scales are
// numbers, or powers of two by their exponent alone (E8M0, also as U8).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/weights/quantization/four_bit.h"

namespace trainyard::quantization {

inline constexpr std::string_view kFp8ScaleEndings[] = {"_scale_inv", "_scale"};

/// Whether a tensor of this type may have scales.
inline bool is_fp8(std::string_view dtype) {
    return dtype == "F8_E4M3" || dtype == "F8_E5M2";
}

class Fp8Scales {
  public:
    /// `shape` of the weight. Throws UserError if the scales are not one for each block, row, matrix or the whole.
    Fp8Scales(const std::string& weight, std::span<const std::int64_t> shape, const StoredTensor& scales);

    /// The values of codes of the type `dtype`, which begin with element `first` of the weight.
    void decode(std::string_view dtype, std::uint64_t first, std::span<const std::byte> codes,
                std::span<float> values) const;
    const std::vector<float>& scales() const { return scales_; }

  private:
    std::vector<float> scales_;
    std::uint64_t rows_ = 1, columns_ = 1;              ///< of a matrix
    std::uint64_t block_rows_ = 1, block_columns_ = 1;  ///< elements of a block
    std::uint64_t scale_rows_ = 1, scale_columns_ = 1;  ///< scales of a matrix
    bool is_one_ = false;                               ///< for the whole weight
};

}  // namespace trainyard::quantization
