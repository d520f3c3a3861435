#pragma once
// Causal self-attention over packed queries, keys and values.
// Dao, "FlashAttention-2", 2023: kernels of ours on the CPU (attention_cpu.h), LibTorch's elsewhere.

#include <vector>

#include <ATen/core/Tensor.h>

#include "models/kernels/dropout.h"

namespace trainyard::models {

/// qkv [batch, seq, 3 * width], heads side by side; result [batch, seq, width]. `scale`: factor of the scores; 0: 1/sqrt(width/heads). Scores and
/// probabilities are fp32 in every format.
at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double scale = 0);

/// What the plain formula can do beside.
struct PlainAttention {
    double scale = 0;          ///< of the scores; 0: 1/sqrt(width/heads)
    bool fp32_scores = false;  ///< of 16-bit queries and keys, too
    DropoutKey key = {};
    double dropout = 0;  ///< of the probabilities
    at::Tensor mask =
        {};  ///< [batch, keys], not 0: may be attended to; undefined: all. A row without any such key is the mean of all
    /// Keys and values [batch, heads, length, width / heads] of the positions before (empty: none), to which those of `qkv` are added.
    std::vector<at::Tensor>* past = nullptr;
};

/// The plain formula (scores, softmax, product), for masks, caches, dropout on the probabilities, and as the oracle of the other.
at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& plain = {});

}  // namespace trainyard::models
