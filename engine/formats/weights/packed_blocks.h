// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elements that are packed in blocks, as GGUF files of llama.cpp have them: 32 or 256 elements share one or more scales. The
// numbers are those that ggml's own reference gives, bit for bit, in fp32.
// Layouts: https://github.com/ggml-org/ggml (src/ggml-common.h; MIT), described by dequantize_row_* of src/ggml-quants.c.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace trainyard::weights {

struct PackedType {
    std::string_view name;       ///< ggml's: "Q4_K"
    std::uint32_t elements = 0;  ///< of a block
    std::uint32_t bytes = 0;     ///< of a block
    void (*unpack)(const std::uint8_t* block, float* out) = nullptr;
};

/// Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K to Q6_K, Q8_K, IQ1_S to IQ4_XS, TQ1_0, TQ2_0, MXFP4, NVFP4; nullptr for others.
const PackedType* packed_type(std::string_view name);

/// Whole blocks. `out` has room for their elements.
void unpack_blocks(const PackedType& type, std::span<const std::byte> blocks, std::span<float> out);

}  // namespace trainyard::weights
