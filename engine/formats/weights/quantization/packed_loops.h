// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loops over codes of 4 and 8 bits, compiled once for each instruction set (packed_loops.cpp with TRAINYARD_ISA set by
// the build). Of two codes of 4 bits in a byte the first one is in the high half.

#include <cstddef>
#include <cstdint>

namespace trainyard::quantization {

struct PackedLoops {
    /// out[i] = values[code i] * magnitude. `count` is even.
    void (*decode_four_bit)(const std::uint8_t* packed, std::size_t count, const float* values, float magnitude,
                            float* out);
    /// The product of a row of `count` codes in blocks, each with a magnitude, with x, whose elements at even and at
    /// odd places are given apart. `count` and `blocksize` are even; the last block may be shorter.
    float (*dot_four_bit)(const std::uint8_t* packed, std::size_t count, std::size_t blocksize, const float* values,
                          const float* magnitudes, const float* even, const float* odd);
    /// out[i] = code i * factor
    void (*decode_int8)(const std::int8_t* codes, std::size_t count, float factor, float* out);
    float (*dot_int8)(const std::int8_t* codes, std::size_t count, const float* x);
    /// At most 2^17 codes: the sum does not overflow.
    std::int32_t (*dot_codes)(const std::int8_t* a, const std::int8_t* b, std::size_t count);
};

/// Returns the loops for the instruction set in use.
const PackedLoops& packed_loops();

}  // namespace trainyard::quantization
