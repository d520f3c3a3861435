// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Queries, keys and values of separate heads, packed for attention.h: queries and keys are turned by their positions
// (rotary positions: Su et al., "RoFormer", 2021), and heads of keys and values that several query heads share are
// repeated (grouped-query attention: Ainslie et al., "GQA", 2023). One pass on the CPU, forward and backward.

#include <ATen/core/Tensor.h>

namespace trainyard::models {

/// Sine and cosine of the angles, fp32 [seq, pairs] or [batch, seq, pairs]: element i < pairs of a head is turned with
/// element i + pairs, those behind stay. Undefined: nothing is turned.
struct Rotation {
    at::Tensor cosine, sine;
};

/// query [batch, seq, heads, width], key and value [batch, seq, key heads, width], of one dtype, the last dimension
/// contiguous -> [batch, seq, 3 * heads * width].
at::Tensor pack_heads(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      const Rotation& rotation);
/// The same with LibTorch's operators, on every device; the reference.
at::Tensor pack_heads_plain(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const Rotation& rotation);

}  // namespace trainyard::models
