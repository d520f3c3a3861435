// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Packs elements in the blocks of GGUF (packed_blocks.h): the bits of the Python package gguf for Q4_0 to Q8_0, and
// those of ggml's reference, compiled without fused multiplications, for the K types.

#include <cstdint>
#include <string_view>

namespace trainyard::weights {

/// Packs the elements of one block. They are finite.
using PackBlock = void (*)(const float* values, std::uint8_t* block);

/// Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K; nullptr for others.
PackBlock packer_of(std::string_view type);

}  // namespace trainyard::weights
