#pragma once
// Activation functions by their names (families/activation.h).

#include <ATen/core/Tensor.h>

#include "families/activation.h"

namespace trainyard::models {

/// Of every element, in x's dtype. The tanh form of GELU has kernels of ours (linear.h); the others are LibTorch's.
at::Tensor activate(families::Activation activation, const at::Tensor& x);

}  // namespace trainyard::models
