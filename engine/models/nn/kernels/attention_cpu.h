// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention on the CPU. It reads and writes packed and separate layouts, so nothing is transposed or copied. Rows are
// processed in tiles; a tile uses only the keys that its rows may attend to, which saves up to half of the products of
// causal attention and more with a window. Backward recomputes the probabilities from the log-sum-exp. Dao,
// "FlashAttention-2",
// 2023. Computes in fp32 (tile_products.h); 16-bit formats are widened when they are packed, and results are rounded
// once, unless attention is causal and the processor multiplies bfloat16 itself (attention_bfloat16.h).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/nn/kernels/number_format.h"

namespace trainyard::models {

struct AttentionShape {
    std::int64_t batch = 0;
    std::int64_t seq = 0;  ///< queries
    std::int64_t heads = 0;
    std::int64_t head_width = 0;
    float scale = 0;             ///< factor of the scores; 0: 1/sqrt(head_width)
    std::int64_t keys = 0;       ///< 0: as many as queries
    std::int64_t key_heads = 0;  ///< shared by neighbouring query heads; 0: as many as those
    std::int64_t key_count() const { return keys > 0 ? keys : seq; }
    std::int64_t group() const { return key_heads > 0 ? heads / key_heads : 1; }
    float score_scale() const { return scale != 0 ? scale : 1.0f / std::sqrt(static_cast<float>(head_width)); }
    std::int64_t width() const { return heads * head_width; }
    /// Offset of head `index` (of batch * heads) in [batch, seq, ...] with rows of `stride` elements.
    std::int64_t head_offset(std::int64_t index, std::int64_t stride) const {
        return index / heads * seq * stride + index % heads * head_width;
    }
};

/// Which keys a query may attend to.
struct SeenKeys {
    bool causal = true;           ///< those before it and itself; false: all
    std::int64_t window = 0;      ///< the last so many of them, itself included; 0: all. Of causal attention
    const float* mask = nullptr;  ///< [batch, keys], added to the scores: 0, or lowest for keys that nobody sees
    std::int64_t offset = 0;    ///< position of query 0 less that of key 0, for causal attention to a part of the keys
    bool mask_by_head = false;  ///< mask is [batch, heads, keys], of any numbers
    /// Query `row` sees the keys [first, end); none if end <= first.
    std::int64_t first(std::int64_t row) const {
        return window > 0 ? std::max<std::int64_t>(0, row + offset - window + 1) : 0;
    }
    std::int64_t end(std::int64_t row, std::int64_t keys) const {
        return causal ? std::clamp<std::int64_t>(row + offset + 1, 0, keys) : keys;
    }
};

/// Rows [batch, rows, heads, head_width] in memory, to be read or written; the heads of a row are contiguous.
struct AttentionRows {
    const void* data = nullptr;
    std::int64_t batch_stride = 0, stride = 0;  ///< elements
};

/// Queries, keys and values, or their gradients.
struct AttentionInputs {
    AttentionRows q, k, v;
    NumberFormat format = NumberFormat::fp32;
};

/// The rows of packed memory [batch, seq, 3, heads, head_width].
AttentionInputs packed_inputs(const AttentionShape& shape, NumberFormat format, const void* qkv);
/// Contiguous rows of queries or results.
AttentionRows plain_rows(const AttentionShape& shape, const void* rows);

/// out [batch, seq, heads, head_width] in `out_format`; log_sum_exp [batch, heads, seq]. Of a query that sees no key
/// these are 0 and -infinity.
void tiled_attention_forward(const AttentionShape& shape, const SeenKeys& seen, const AttentionInputs& inputs,
                             const AttentionRows& out, NumberFormat out_format, float* log_sum_exp);

/// The gradients of queries, keys and values; every element is written. `out` and `dout` are in the format of the
/// inputs. Those of keys and values have a head for every query head. out and log_sum_exp may be of more keys than
/// these: then the gradients are the part of these keys.
void tiled_attention_backward(const AttentionShape& shape, const SeenKeys& seen, const AttentionInputs& inputs,
                              const AttentionRows& out, const float* log_sum_exp, const AttentionRows& dout,
                              const AttentionInputs& gradients);

/// Causal attention for bfloat16 with the processor's bfloat16 products, if it has them and the head width is even.
bool has_bfloat16_attention(const AttentionShape& shape);
void bfloat16_attention_forward(const AttentionShape& shape, const std::uint16_t* qkv, std::uint16_t* out,
                                float* log_sum_exp);
void bfloat16_attention_backward(const AttentionShape& shape, const std::uint16_t* qkv, const std::uint16_t* out,
                                 const float* log_sum_exp, const std::uint16_t* dout, std::uint16_t* dqkv);

}  // namespace trainyard::models
