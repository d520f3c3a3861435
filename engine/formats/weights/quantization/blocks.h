// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Block-wise quantization: the elements of a block share their largest magnitude, and each is the code of the nearest
// value of a table. Tensors are flat: blocks do not stop at rows.

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/weights/quantization/code_table.h"

namespace trainyard::quantization {

/// Smaller magnitudes are not divided by.
inline constexpr float kSmallestMagnitude = 1e-38F;

/// NaN if a value is.
float largest_magnitude(std::span<const float> values);

inline std::size_t block_count(std::size_t elements, std::size_t blocksize) {
    return (elements + blocksize - 1) / blocksize;
}

/// `codes` has one place for each element, `absmax` one for each block. A block with a NaN has the magnitude NaN.
void encode_blocks(std::span<const float> values, std::size_t blocksize, const CodeTable& table,
                   std::span<std::uint8_t> codes, std::span<float> absmax);
void decode_blocks(std::span<const std::uint8_t> codes, std::size_t blocksize, const std::vector<float>& table,
                   std::span<const float> absmax, std::span<float> values);

}  // namespace trainyard::quantization
