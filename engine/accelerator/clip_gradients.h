// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Clipping of gradients that every rank holds whole, with the arithmetic of torch.nn.utils.

#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::accelerator {

/// Norm over all gradients together (`norm_type` may be infinity), before clipping; they are multiplied by max_norm / (norm + 1e-6) where that is
/// below 1. A number on the gradients' device: nothing is read back. 0 without gradients.
at::Tensor clip_gradients_by_norm(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type = 2.0);
/// Every element into [-value, value].
void clip_gradients_by_value(const std::vector<at::Tensor>& parameters, double value);

}  // namespace trainyard::accelerator
