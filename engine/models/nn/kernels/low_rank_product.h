// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products with adapters of low rank (parallel::LowRank), whose gradients are written to the flat buffers.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// What an adapter of `weight` adds to x W, without its scale: x [..., in] -> [..., out] in the adapter's compute dtype.
at::Tensor low_rank_product(const at::Tensor& x, const parallel::Parameter& weight, const parallel::LowRank& adapter);

/// Returns the matrix that the adapter adds to the weight, with its scale, fp32 in the matrix's layout.
at::Tensor low_rank_matrix(const parallel::Parameter& weight, const parallel::LowRank& adapter);

}  // namespace trainyard::models
