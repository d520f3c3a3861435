// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The end of a classification head: stores the logits if requested, and computes the loss by the rules of StepContext.

#include <string>

#include "distributed/parallel/unit.h"
#include "models/nn/kernels/class_loss.h"

namespace trainyard::models {

/// logits [..., classes] -> the root of backward, loss_scale * summed loss (0-dim float64), which is also added to
/// loss_sum; without labels the logits.
inline at::Tensor finish_classes(const std::string& problem, const at::Tensor& logits, parallel::StepContext& context) {
    if (context.logits != nullptr)
        *context.logits = logits.detach().to(at::kFloat);
    if (!context.labels.defined())
        return logits;
    const at::Tensor sum =
        context.own_loss ? context.own_loss(logits, context.labels) : class_loss(problem, logits, context.labels);
    if (!context.recomputing)
        context.loss_sum.add_(sum.detach());
    return sum.mul(context.loss_scale);
}

}  // namespace trainyard::models
