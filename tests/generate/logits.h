// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Computes the logits of a model, and the distance of two tensors.

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "models/nn/model.h"

namespace trainyard::test {

inline at::Tensor logits_of(const models::Model& model, const at::Tensor& ids) {
    at::NoGradGuard no_grad;
    parallel::StepContext context;
    at::Tensor logits;
    context.tokens = ids;
    context.training = false;
    context.logits = &logits;
    model.forward(context);
    return logits;
}

/// Returns the largest absolute difference of two elements.
inline double distance(const at::Tensor& a, const at::Tensor& b) {
    return a.sub(b).abs().max().item<double>();
}

}  // namespace trainyard::test
