#pragma once
// Dense kernels whose backward writes weight gradients straight into the flat buffers (parallel/parameter.h).

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::models {

using parallel::Parameter;

/// y[..., out] = x[..., in] @ weight[in, out] + bias[out] (null: none), the layout of Hugging Face's Conv1D. x is cast to the weight's compute
/// dtype; the result has that dtype. The gradient of x comes back in x's dtype.
at::Tensor linear(const at::Tensor& x, Parameter& weight, Parameter* bias);
/// The same of weight[out, in], the layout of torch.nn.Linear.
at::Tensor linear_transposed(const at::Tensor& x, Parameter& weight, Parameter* bias);

/// GELU, tanh form ("gelu_new").
at::Tensor gelu_tanh(const at::Tensor& x);

/// table[tokens], fp32 [batch, seq, width].
at::Tensor embed(const at::Tensor& tokens, Parameter& table);
/// token_table[tokens] + position_table[positions], fp32 [batch, seq, width]. tokens and positions [batch, seq] int64; undefined positions:
/// 0, 1, ...
at::Tensor embed(const at::Tensor& tokens, Parameter& token_table, Parameter& position_table,
                 const at::Tensor& positions = {});

}  // namespace trainyard::models
