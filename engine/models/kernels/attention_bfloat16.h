#pragma once
// Causal attention of one head in bfloat16 with the processor's own bfloat16 products (AVX512_BF16's vdpbf16ps: pairs of bfloat16 products
// summed in fp32). Everything is held transposed, queries in the lanes of a register: maxima, sums and masks of a query then are plain
// vertical operations, and a tile of scores is at once the operand of the next product. Probabilities and their gradients are rounded
// to bfloat16 before they are multiplied; scores, statistics and all sums stay fp32.
// Dao, "FlashAttention-2", 2023; Intel, "Instruction set extensions programming reference", VDPBF16PS.
//
// Compiled for that instruction set alone, hence nothing here but pointers: whoever asks bfloat16_attention() for it finds out whether
// this processor has it.

#include <cstddef>
#include <cstdint>

namespace trainyard::models {

/// One head's rows; `stride` elements from one row to the next. depth is even.
struct AttentionHead {
    std::int64_t seq = 0;
    std::int64_t depth = 0;
    const std::uint16_t* q = nullptr;
    const std::uint16_t* k = nullptr;
    const std::uint16_t* v = nullptr;
    std::int64_t stride = 0;
    float scale = 0;  ///< of the scores
};

struct HeadResult {
    std::uint16_t* rows = nullptr;  ///< [seq, depth]
    std::int64_t stride = 0;
    float* log_sum_exp = nullptr;  ///< [seq], natural logarithm of the scaled scores' sums
};

/// What backward is given besides the head: forward's result and its gradient.
struct HeadGradient {
    const std::uint16_t* out = nullptr;
    const std::uint16_t* dout = nullptr;
    std::int64_t stride = 0;
    const float* log_sum_exp = nullptr;
};

/// Where backward writes; every row is written.
struct HeadRowGradients {
    std::uint16_t* dq = nullptr;
    std::uint16_t* dk = nullptr;
    std::uint16_t* dv = nullptr;
    std::int64_t stride = 0;
};

struct Bfloat16Attention {
    std::int64_t tile;  ///< queries of a call of forward_tile

    /// Bytes of working memory, aligned to 64.
    std::size_t (*forward_room)(std::int64_t seq, std::int64_t depth);
    std::size_t (*backward_room)(std::int64_t seq, std::int64_t depth);

    /// Once for a head, before its tiles.
    void (*forward_prepare)(const AttentionHead& head, std::byte* room);
    /// Queries [first, first + tile).
    void (*forward_tile)(const AttentionHead& head, std::int64_t first, const HeadResult& result, std::byte* room);
    void (*backward)(const AttentionHead& head, const HeadGradient& gradient, const HeadRowGradients& result,
                     std::byte* room);
};

/// Null where this processor, or this build, cannot.
const Bfloat16Attention* bfloat16_attention();

}  // namespace trainyard::models
