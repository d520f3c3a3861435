// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Causal attention of one head in bfloat16 with the processor's bfloat16 products (AVX512_BF16's vdpbf16ps: pairs of
// bfloat16 products summed in fp32). All tiles are transposed, with queries in the lanes of a register, so that maxima,
// sums and masks of a query are vertical operations, and a tile of scores is directly the operand of the next product.
// Probabilities and their gradients are rounded to bfloat16 before they are multiplied; scores, statistics and all sums
// are fp32. Dao, "FlashAttention-2", 2023; Intel, "Instruction set extensions programming reference", VDPBF16PS.
//
// Compiled for this instruction set, and for AMX, only, so the header contains nothing but pointers:
// bfloat16_attention() checks what the processor supports.

#include <cstddef>
#include <cstdint>

namespace trainyard::models {

/// Rows of one head, `stride` elements apart. depth is even.
struct AttentionHead {
    std::int64_t seq = 0;
    std::int64_t depth = 0;
    const std::uint16_t* q = nullptr;
    const std::uint16_t* k = nullptr;
    const std::uint16_t* v = nullptr;
    std::int64_t stride = 0;
    float scale = 0;  ///< factor of the scores
};

struct HeadResult {
    std::uint16_t* rows = nullptr;  ///< [seq, depth]
    std::int64_t stride = 0;
    float* log_sum_exp = nullptr;  ///< [seq], natural logarithm of the sum of exponentials of the scaled scores
};

/// Inputs of backward besides the head: forward's result and its gradient.
struct HeadGradient {
    const std::uint16_t* out = nullptr;
    const std::uint16_t* dout = nullptr;
    std::int64_t stride = 0;
    const float* log_sum_exp = nullptr;
};

/// Outputs of backward; every row is written.
struct HeadRowGradients {
    std::uint16_t* dq = nullptr;
    std::uint16_t* dk = nullptr;
    std::uint16_t* dv = nullptr;
    std::int64_t stride = 0;
};

struct Bfloat16Attention {
    std::int64_t tile;  ///< queries per call of forward_tile

    /// Bytes of working memory, aligned to 64.
    std::size_t (*forward_room)(std::int64_t seq, std::int64_t depth);
    std::size_t (*backward_room)(std::int64_t seq, std::int64_t depth);

    /// Call once per head, before its tiles.
    void (*forward_prepare)(const AttentionHead& head, std::byte* room);
    /// Queries [first, first + tile).
    void (*forward_tile)(const AttentionHead& head, std::int64_t first, const HeadResult& result, std::byte* room);
    void (*backward)(const AttentionHead& head, const HeadGradient& gradient, const HeadRowGradients& result,
                     std::byte* room);
};

/// That of AMX where LibTorch may use it, too (ONEDNN_MAX_CPU_ISA); nullptr if there is none.
const Bfloat16Attention* bfloat16_attention();

}  // namespace trainyard::models
