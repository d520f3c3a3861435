// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Activation functions by their names (models/spec/activation.h).

#include <ATen/core/Tensor.h>

#include "models/spec/activation.h"

namespace trainyard::models {

/// Elementwise, in the dtype of x. GELU's tanh approximation has our own kernels (linear.h); the others are LibTorch's.
at::Tensor activate(families::Activation activation, const at::Tensor& x);

}  // namespace trainyard::models
