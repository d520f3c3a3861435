// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer norm and the residual stream. The stream is fp32; the norm of it, and what a branch adds to it, have the
// parameters' compute dtype. Gradients of scale and shift are written directly to the flat buffers.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

using parallel::Parameter;

/// A residual stream and its norm.
struct NormedStream {
    at::Tensor stream;  ///< fp32
    at::Tensor normed;
};

/// `stream` (+ `branch`, if defined), and its layer norm over the last dimension: statistics in fp32, result in the
/// compute dtype. `bias` may be nullptr. Forward is one pass, and so is backward for the gradients of all three.
NormedStream normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, Parameter* bias,
                           double epsilon);
/// The same with x / sqrt(mean(x^2) + epsilon) * (offset + weight).
NormedStream rms_normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, double epsilon,
                               double offset = 0);

/// stream + branch in fp32; the branch's gradient has the branch's dtype.
at::Tensor add_branch(const at::Tensor& stream, const at::Tensor& branch);

}  // namespace trainyard::models
