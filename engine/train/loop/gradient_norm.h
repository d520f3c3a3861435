// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Norms of gradients that are divided into pieces, on this rank or on several: sums are computed in double precision,
// so that the division changes the norm by no more than 1e-15 of it. at::linalg_vector_norm over one flat buffer adds
// them in a few fp32 lanes, which is off by 1e-3 at 10 million elements (and so would be the clipped update).

#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::train {

/// Sum of the p-th powers of the absolute values of all elements; of p = infinity the largest, of 0 how many are not 0. Any floating dtype, layout
/// and device; 0-dim float64 on that of the first, which the host does not wait for. Not finite when an element is not. None: 0.
at::Tensor power_sum(const std::vector<at::Tensor>& tensors, double p);

/// Returns the norm of a power sum: its p-th root.
at::Tensor norm_of_power_sum(const at::Tensor& sum, double p);

/// Euclidean norm of one tensor.
double gradient_norm(const at::Tensor& tensor);

}  // namespace trainyard::train
