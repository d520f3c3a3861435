#pragma once
// The gradient of a dense layer's weight in bfloat16: x^T dy, summed in fp32 straight into the flat buffer. LibTorch's product would round to
// bfloat16 on the way and need a second pass; and a transposed left side costs it a fifth of its rate.

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::models {

/// weight's gradient += x^T dy; x [rows, in], dy [rows, out] of one dtype. Other dtypes, and processors that have no products of bfloat16 or
/// the matrix unit AMX, take that of products.h.
void add_weight_gradient(parallel::Parameter& weight, const at::Tensor& x, const at::Tensor& dy);

}  // namespace trainyard::models
