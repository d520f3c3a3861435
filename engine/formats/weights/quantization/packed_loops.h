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
    /// sums[n] = the product of a row of `count` codes in blocks, each with a magnitude, with vector n of `vectors`:
    /// x + n * count has its elements at even places, then those at odd places. `count` and `blocksize` are even; the
    /// last block may be shorter.
    void (*dot_four_bit)(const std::uint8_t* packed, std::size_t count, std::size_t blocksize, const float* values,
                         const float* magnitudes, const float* x, std::size_t vectors, float* sums);
    /// The same for x in bfloat16, to which `values` are rounded, too; sums are fp32. Both `count` and `blocksize` are
    /// multiples of 64. nullptr: not with these instructions.
    void (*dot_four_bit_bfloat16)(const std::uint8_t* packed, std::size_t count, std::size_t blocksize,
                                  const float* values, const float* magnitudes, const std::uint16_t* x,
                                  std::size_t vectors, float* sums);
    /// out[i] = values[codes[i]] * factor + offset, rounded after each of both operations. `values` has 256.
    void (*decode_bytes)(const std::uint8_t* codes, std::size_t count, const float* values, float factor, float offset,
                         float* out);
    /// out[i] = code i * factor
    void (*decode_int8)(const std::int8_t* codes, std::size_t count, float factor, float* out);
    float (*dot_int8)(const std::int8_t* codes, std::size_t count, const float* x);
    /// At most 2^17 codes: the sum does not overflow.
    std::int32_t (*dot_codes)(const std::int8_t* a, const std::int8_t* b, std::size_t count);
    /// Rounds to fp16 and back. Returns the largest magnitude, without NaN. nullptr: not with these instructions.
    float (*round_to_half)(const float* x, std::size_t count, float* out);
    /// codes[i] = x[i] * factor, rounded to nearest even; 0 for NaN. Results fit.
    void (*encode_int8)(const float* x, std::size_t count, float factor, std::int8_t* codes);
};

/// Returns the loops for the instruction set in use.
const PackedLoops& packed_loops();

}  // namespace trainyard::quantization
