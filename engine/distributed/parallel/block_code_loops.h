// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to block_codes.h: the loops over whole blocks of kCodeBlock fp32 numbers, compiled once for each instruction
// set (block_code_loops.cpp with TRAINYARD_ISA set by the build).

#include <cstdint>

namespace trainyard::parallel {

inline constexpr std::int64_t kCodeBlock = 128;  ///< elements

struct BlockCodeLoops {
    /// Codes of 8 bits (one byte for each element) and the scales [blocks].
    void (*encode8)(const float* values, std::int64_t blocks, std::uint8_t* codes, float* scales);
    /// Codes of 4 bits, the first of two in the lower half of a byte, as offsets from -8.
    void (*encode4)(const float* values, std::int64_t blocks, std::uint8_t* codes, float* scales);
    /// values = code * scale; `add`: values += code * scale.
    void (*decode8)(const std::uint8_t* codes, const float* scales, std::int64_t blocks, bool add, float* values);
    void (*decode4)(const std::uint8_t* codes, const float* scales, std::int64_t blocks, bool add, float* values);
};

/// Returns the loops for the instruction set in use.
const BlockCodeLoops& block_code_loops();

}  // namespace trainyard::parallel
