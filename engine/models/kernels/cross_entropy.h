#pragma once
// Last layer and loss in one: the logits exist only for a chunk of rows at a time, and become their own gradient in place
// (Hsu et al., "Liger Kernel", 2024). Logits that fit into the caches are one chunk; else a chunk is a quarter of the rows and at most
// 512: larger ones save nothing more, smaller ones add to the weight's gradient too often. So at most a quarter of one buffer of all
// logits is needed, where log-softmax, its gradient and the logits are three.

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::models {

/// hidden [batch, seq, width], weight [vocabulary, width], labels [batch, seq] int64. Position t predicts labels[t + 1]; labels of
/// -100 and the last position are not counted. Adds the summed loss to `loss_sum` (0-dim float64) and returns loss_scale * sum, 0-dim float64,
/// the root of backward or what it is computed from. Where `hidden` requires a gradient, backward makes the logits, loss and gradients together, since the logits
/// of a chunk exist only once: until then `loss_sum` lacks this loss and the root is 0.
at::Tensor next_token_loss(const at::Tensor& hidden, parallel::Parameter& weight, const at::Tensor& labels,
                           double loss_scale, const at::Tensor& loss_sum);

/// hidden @ weight^T, for tests and generation.
at::Tensor logits_of(const at::Tensor& hidden, const parallel::Parameter& weight);

inline constexpr std::int64_t kIgnoredLabel = -100;

}  // namespace trainyard::models
