#pragma once
// Causal attention on the CPU. It reads and writes the packed layout, so nothing is transposed or copied. Rows are
// processed in tiles; a tile uses only the keys up to its end, which saves up to half of the products. Backward
// recomputes the probabilities from the log-sum-exp. Dao, "FlashAttention-2", 2023. Computes in fp32 (tile_products.h);
// 16-bit formats are widened when they are packed, and results are rounded once, unless the processor multiplies
// bfloat16 itself (attention_bfloat16.h).

#include <cmath>
#include <cstdint>

#include "models/kernels/number_format.h"

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

/// qkv [batch, seq, 3, heads, head_width] -> out [batch, seq, heads, head_width], both in `format`; log_sum_exp [batch, heads, seq].
void tiled_attention_forward(const AttentionShape& shape, NumberFormat format, const void* qkv, void* out,
                             float* log_sum_exp);

/// Writes every element of dqkv.
void tiled_attention_backward(const AttentionShape& shape, NumberFormat format, const void* qkv, const void* out,
                              const float* log_sum_exp, const void* dout, void* dqkv);

/// The same for bfloat16 with the processor's bfloat16 products, if it has them and the head width is even.
bool has_bfloat16_attention(const AttentionShape& shape);
void bfloat16_attention_forward(const AttentionShape& shape, const std::uint16_t* qkv, std::uint16_t* out,
                                float* log_sum_exp);
void bfloat16_attention_backward(const AttentionShape& shape, const std::uint16_t* qkv, const std::uint16_t* out,
                                 const float* log_sum_exp, const std::uint16_t* dout, std::uint16_t* dqkv);

}  // namespace trainyard::models
