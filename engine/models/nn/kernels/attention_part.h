// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention of queries to a part of the keys of their sequence. Results over several parts are merged by their
// log-sum-exp, and gradients of a part follow from the result and log-sum-exp over all of them. Dao,
// "FlashAttention-2", 2023; Liu et al., "Ring attention with blockwise transformers", 2023.

#include "models/nn/kernels/attention.h"

namespace trainyard::models {

struct KeyPart {
    enum class Seen {
        all,          ///< every query sees every key of the part
        causal,       ///< queries and keys have the same positions, in rising order
        by_position,  ///< what the options say of the positions of both
    };
    Seen seen = Seen::all;
    parallel::PositionRuns queries, keys;  ///< positions of the rows
    std::int64_t length = 0;               ///< positions of a whole sequence
};

/// In fp32, or fp64 for inputs of fp64.
struct AttentionResult {
    at::Tensor out;          ///< [batch, rows, heads, width]
    at::Tensor log_sum_exp;  ///< [batch, heads, rows], of the scaled scores; -infinity: no key is seen
};

/// query [batch, rows, heads, width], key and value [batch, keys, key heads, width]. Of `what`: scale, causal, window,
/// documents, key_bias, score_cap, dropout and its key. The tiled kernels where they can.
AttentionResult attend_to_part(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                               const KeyPart& part, const PlainAttention& what);

/// Makes `sum` the result over the keys of both.
void merge_part(const AttentionResult& sum, const AttentionResult& part);

/// In the dtype of AttentionResult, with the shapes of the inputs.
struct AttentionGradients {
    at::Tensor query, key, value;
};

/// `out` (of the queries' dtype) and `log_sum_exp` over all keys, and the gradient of `out`: what this part adds to
/// the gradients.
AttentionGradients gradients_of_part(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                     const at::Tensor& out, const at::Tensor& log_sum_exp, const at::Tensor& dout,
                                     const KeyPart& part, const PlainAttention& what);

}  // namespace trainyard::models
