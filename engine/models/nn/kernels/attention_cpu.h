#pragma once
// Attention on the CPU. It reads and writes the packed layout, so nothing is transposed or copied. Rows are processed in
// tiles; a tile uses only the keys that its rows may attend to, which saves up to half of the products of causal
// attention and more with a window. Backward recomputes the probabilities from the log-sum-exp. Dao, "FlashAttention-2",
// 2023. Computes in fp32 (tile_products.h); 16-bit formats are widened when they are packed, and results are rounded
// once, unless attention is causal and the processor multiplies bfloat16 itself (attention_bfloat16.h).

#include <cmath>
#include <cstdint>

#include "models/nn/kernels/number_format.h"

namespace trainyard::models {

struct AttentionShape {
    std::int64_t batch = 0;
    std::int64_t seq = 0;
    std::int64_t heads = 0;
    std::int64_t head_width = 0;
    float scale = 0;  ///< factor of the scores; 0: 1/sqrt(head_width)
    float score_scale() const { return scale != 0 ? scale : 1.0f / std::sqrt(static_cast<float>(head_width)); }
    std::int64_t width() const { return heads * head_width; }
    /// Offset of head `index` (of batch * heads) in [batch, seq, ...] with rows of `stride` elements.
    std::int64_t head_offset(std::int64_t index, std::int64_t stride) const {
        return index / heads * seq * stride + index % heads * head_width;
    }
};

/// Which keys a query may attend to; every query has at least one.
struct SeenKeys {
    bool causal = true;           ///< those before it and itself; false: all
    std::int64_t window = 0;      ///< the last so many of them, itself included; 0: all. Of causal attention
    const float* mask = nullptr;  ///< [batch, seq], added to the scores: 0, or lowest for keys that nobody sees
    /// Of query `row` of a sequence.
    std::int64_t first(std::int64_t row) const { return window > 0 && row >= window ? row - window + 1 : 0; }
    std::int64_t end(std::int64_t row, std::int64_t seq) const { return causal ? row + 1 : seq; }
};

/// qkv [batch, seq, 3, heads, head_width] -> out [batch, seq, heads, head_width], both in `format`; log_sum_exp [batch, heads, seq].
void tiled_attention_forward(const AttentionShape& shape, const SeenKeys& seen, NumberFormat format, const void* qkv,
                             void* out, float* log_sum_exp);

/// Writes every element of dqkv.
void tiled_attention_backward(const AttentionShape& shape, const SeenKeys& seen, NumberFormat format, const void* qkv,
                              const void* out, const float* log_sum_exp, const void* dout, void* dqkv);

/// Causal attention for bfloat16 with the processor's bfloat16 products, if it has them and the head width is even.
bool has_bfloat16_attention(const AttentionShape& shape);
void bfloat16_attention_forward(const AttentionShape& shape, const std::uint16_t* qkv, std::uint16_t* out,
                                float* log_sum_exp);
void bfloat16_attention_backward(const AttentionShape& shape, const std::uint16_t* qkv, const std::uint16_t* out,
                                 const float* log_sum_exp, const std::uint16_t* dout, std::uint16_t* dqkv);

}  // namespace trainyard::models
