// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/blocks.h"

#include <algorithm>
#include <cmath>

namespace trainyard::quantization {

namespace {

/// Within [-1, 1]; NaN stays.
float clamped(float x) {
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

}  // namespace

float largest_magnitude(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        if (const float magnitude = std::abs(value); !(magnitude <= largest) && !std::isnan(largest))
            largest = magnitude;
    return largest;
}

void encode_blocks(std::span<const float> values, std::size_t blocksize, const CodeTable& table,
                   std::span<std::uint8_t> codes, std::span<float> absmax) {
    for (std::size_t block = 0; block < absmax.size(); ++block) {
        const std::size_t begin = block * blocksize, count = std::min(blocksize, values.size() - begin);
        const float largest = largest_magnitude(values.subspan(begin, count));
        absmax[block] = largest;
        const float divisor = largest < kSmallestMagnitude ? kSmallestMagnitude : largest, inverse = 1 / divisor;
        // bitsandbytes multiplies by the inverse, but divides in the last block where it is incomplete.
        const bool divides = count < blocksize;
        for (std::size_t i = begin; i < begin + count; ++i)
            codes[i] = table.nearest(clamped(divides ? values[i] / divisor : values[i] * inverse));
    }
}

void decode_blocks(std::span<const std::uint8_t> codes, std::size_t blocksize, const std::vector<float>& table,
                   std::span<const float> absmax, std::span<float> values) {
    for (std::size_t i = 0; i < codes.size(); ++i)
        values[i] = table[codes[i]] * absmax[i / blocksize];
}

}  // namespace trainyard::quantization
