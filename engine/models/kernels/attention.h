#pragma once
// Causal self-attention over packed queries, keys and values.
// Dao, "FlashAttention-2", 2023: kernels of ours on the CPU (attention_cpu.h), LibTorch's elsewhere.

#include <ATen/core/Tensor.h>

#include "models/kernels/dropout.h"

namespace trainyard::models {

/// qkv [batch, seq, 3 * width], heads side by side; result [batch, seq, width]. Scale 1/sqrt(width/heads).
at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads);

/// The plain formula (scores, softmax, product), for dropout on the probabilities and as the oracle of the other.
at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const DropoutKey& key, double dropout);

}  // namespace trainyard::models
