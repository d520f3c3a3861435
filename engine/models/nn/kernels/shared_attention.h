// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention over sequences that several ranks share (distributed/parallel/sequence_share.h), each of which has the
// queries, keys and values of its own positions. Keys and values go round the ranks in a ring or are gathered, or whole
// sequences of a part of the heads are exchanged.

#include "models/nn/kernels/attention.h"

namespace trainyard::models {

using AttentionKernel = at::Tensor (*)(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what);

/// qkv [batch, positions of this rank, 3 * width] -> [batch, positions, width], with what.sequence. `whole` computes
/// the attention of whole sequences where heads are exchanged. Collective, in forward and backward.
at::Tensor shared_attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what,
                            AttentionKernel whole);

}  // namespace trainyard::models
