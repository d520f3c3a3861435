// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products of neighbouring groups of rows with a matrix each, as those of the experts of a block: one autograd node for
// all, and with many groups each thread multiplies whole ones. Gale et al., "MegaBlocks", MLSys 2023.

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// x [rows, in], `counts[i]` rows of group i, one group after the other; weights [out, in] of each group ->
/// [rows, out], in the compute dtype of the weights. A weight without rows gets no gradient. Weights may have kernels
/// with products of their own (MatrixKernel::has_products()).
at::Tensor grouped_linear(const at::Tensor& x, const std::vector<std::int64_t>& counts,
                          std::span<parallel::Parameter* const> weights);

}  // namespace trainyard::models
