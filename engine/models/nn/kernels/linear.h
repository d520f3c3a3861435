// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dense kernels whose backward writes weight gradients directly to the flat buffers (distributed/parallel/parameter.h).

#include <array>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::parallel {
struct TensorPart;
}

namespace trainyard::models {

using parallel::Parameter;

/// y[..., out] = x[..., in] @ weight[in, out] + bias[out] (nullptr: none), with the layout of Hugging Face's Conv1D. x
/// is cast to the weight's compute dtype, which is also the dtype of the result. The gradient of x has x's dtype.
at::Tensor linear(const at::Tensor& x, Parameter& weight, Parameter* bias);
/// The same with weight[out, in], the layout of torch.nn.Linear.
at::Tensor linear_transposed(const at::Tensor& x, Parameter& weight, Parameter* bias);

/// y[..., out] + bias[out].
at::Tensor add_bias(const at::Tensor& y, Parameter& bias);

struct Dense {
    Parameter* weight = nullptr;  ///< [out, in] unless a function says otherwise
    Parameter* bias = nullptr;    ///< [out], or none
};
using DenseOfThree = std::array<Dense, 3>;

/// The results of three such products of one x, side by side: [..., the sum of out]. The gradient of x is summed
/// where it lies.
at::Tensor linear_side_by_side(const at::Tensor& x, const DenseOfThree& dense);

/// The results [batch, positions, out] of up to three products of the positions of all ranks, of which x [batch,
/// positions of this rank, in] are this rank's, with weights of either layout (Parameter::product()). Backward
/// gathers x again, so that no rank keeps all positions. Collective over the ranks of `part`, in chunks
/// (TensorPart::overlap_chunks); `name` is for messages.
std::vector<at::Tensor> linear_of_all_positions(const at::Tensor& x, const std::vector<Dense>& dense,
                                                const parallel::TensorPart& part, const std::string& name);
/// The other way: the sum over the ranks of their products of x [batch, positions of all ranks, in], of this rank's
/// positions: [batch, positions of this rank, out]. Collective, likewise.
at::Tensor linear_to_own_positions(const at::Tensor& x, Parameter& weight, const parallel::TensorPart& part,
                                   const std::string& name);

/// GELU, tanh approximation ("gelu_new").
at::Tensor gelu_tanh(const at::Tensor& x);

/// A token whose row of a table is not trained, as torch's Embedding has it (padding_idx).
inline constexpr std::int64_t kNoPadding = -1;

/// table[tokens], fp32 [batch, seq, width].
at::Tensor embed(const at::Tensor& tokens, Parameter& table, std::int64_t padding = kNoPadding);
/// table[tokens], of which this rank has the rows of a part of the tokens (parallel::TensorPart): zeros for the others.
at::Tensor embed_part(const at::Tensor& tokens, Parameter& table, std::int64_t padding = kNoPadding);
/// token_table[tokens] + position_table[positions], fp32 [batch, seq, width]. tokens and positions [batch, seq] int64;
/// undefined positions: 0, 1, ...
at::Tensor embed(const at::Tensor& tokens, Parameter& token_table, Parameter& position_table,
                 const at::Tensor& positions = {}, std::int64_t padding = kNoPadding,
                 std::int64_t position_padding = kNoPadding);

}  // namespace trainyard::models
