// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Last layer and loss in one kernel: logits exist only for a chunk of rows at a time and are replaced by their
// gradients in place (Hsu et al., "Liger Kernel", 2024). Logits that fit in the caches are one chunk; otherwise a chunk
// is a quarter of the rows, at most 512: larger chunks save nothing more, and smaller ones add to the weight's gradient
// too often. So at most a quarter of the memory of all logits is needed, where logits, log-softmax and gradient would
// need three times that of all logits.
// A weight of which each rank has the rows of a part of the vocabulary (parallel::TensorPart) is collective here.

#include <string>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// Options in which the heads of language models differ.
struct LogitOptions {
    bool next = true;                     ///< position t predicts labels[t + 1]; false: labels[t]
    double cap = 0;                       ///< logits become cap * tanh(logits / cap); 0: they stay
    parallel::Parameter* bias = nullptr;  ///< [vocabulary], added to the logits
    std::string loss{};                   ///< of a plug-in, instead of the cross entropy; logits are whole then
};

/// hidden [batch, seq, width], weight [vocabulary, width], labels [batch, seq] int64. Position t predicts labels[t +
/// 1]; labels of -100 and the last position are ignored. Adds the summed loss to `loss_sum` (0-dim float64) and returns
/// loss_scale * sum, 0-dim float64, as the root of backward or for further computation. If `hidden` requires a
/// gradient, logits, loss and gradients are computed together in backward, because the logits of a chunk exist only
/// once: before that, `loss_sum` lacks this loss and the root is 0.
at::Tensor next_token_loss(const at::Tensor& hidden, parallel::Parameter& weight, const at::Tensor& labels,
                           double loss_scale, const at::Tensor& loss_sum, const LogitOptions& options = {});

/// hidden @ weight^T, for tests and generation.
at::Tensor logits_of(const at::Tensor& hidden, const parallel::Parameter& weight, const LogitOptions& options = {});

inline constexpr std::int64_t kIgnoredLabel = -100;

/// What every position of labels [batch, seq] predicts: the label after it, and nothing at the end.
at::Tensor next_labels(const at::Tensor& labels);

}  // namespace trainyard::models
