// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradient of a dense layer's weight in bfloat16: x^T dy, summed in fp32 directly into the flat buffer. LibTorch's
// product would round to bfloat16 and need a second pass, and a transposed left operand costs it a fifth of its speed.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// weight's gradient += x^T dy; x [rows, in] and dy [rows, out] have the same dtype. Other dtypes, sizes that the
/// kernels do not take and processors without bfloat16 products use products.h. Nothing happens if the weight is not
/// trained.
void add_weight_gradient(parallel::Parameter& weight, const at::Tensor& x, const at::Tensor& dy);

}  // namespace trainyard::models
