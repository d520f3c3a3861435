// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Self-attention on packed queries, keys and values. Dao, "FlashAttention-2", 2023: our kernels on the CPU
// (attention_cpu.h), LibTorch's on other devices.

#include <vector>

#include <ATen/core/Tensor.h>

#include "models/nn/kernels/dropout.h"

namespace trainyard::models {

/// qkv [batch, seq, 3 * width], with the heads contiguous; result [batch, seq, width]. `scale`: factor of the scores;
/// 0: 1/sqrt(width/heads). Scores and probabilities are fp32 for all dtypes.
at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double scale = 0);

/// Additional options of the plain formula.
struct PlainAttention {
    double scale = 0;          ///< factor of the scores; 0: 1/sqrt(width/heads)
    bool fp32_scores = false;  ///< also for 16-bit queries and keys
    DropoutKey key = {};
    double dropout = 0;  ///< of the attention probabilities
    at::Tensor mask =
        {};  ///< [batch, keys], not 0: may be attended to; undefined: all. A row without any such key is the mean of all values
    /// Keys and values [batch, heads, length, width / heads] of earlier positions (empty: none), to which those of
    /// `qkv` are appended.
    std::vector<at::Tensor>* past = nullptr;
    bool causal = true;       ///< a position sees those before it and itself; false: all
    std::int64_t window = 0;  ///< causal: it sees so many, itself included; 0: all of them
    double score_cap = 0;     ///< scores become cap * tanh(scores / cap); 0: they stay
    at::Tensor bias = {};     ///< [heads, seq, keys], added to the scores
    /// fp32 [1 or batch, heads, keys], added to the scores of each key: ALiBi's; not trained. With `sequence` of the
    /// keys of whole sequences.
    at::Tensor key_bias = {};
    at::Tensor documents = {};   ///< [keys] int64: a query sees keys of its own document only; undefined: one document
    std::int64_t key_heads = 0;  ///< different heads of keys and values, each repeated for its queries; 0: all differ
    /// Not null: the rows are this rank's positions of sequences that several ranks share (shared_attention.h).
    const parallel::SequenceShare* sequence = nullptr;
    parallel::Communicator* tensor_ranks = nullptr;  ///< not null: ranks that share each layer, each with its heads
};

/// The plain formula (scores, softmax, product), for masks, caches and dropout of probabilities, and as the reference
/// for the other kernels.
at::Tensor causal_attention_plain(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& plain = {});

/// The same for queries [batch, heads, seq, width] and keys and values [batch, heads, keys, width] of their own (an
/// encoder's, in cross-attention); `past` is not used. Result [batch, seq, heads * width].
at::Tensor attention_plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const PlainAttention& plain);

/// By the fastest kernel that can do what `what` says: the tiled ones, LibTorch's, or the plain formula.
at::Tensor attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what);

}  // namespace trainyard::models
