#pragma once
// Layer norm and the residual stream around it. The stream is fp32; what is normed of it, and what a branch brings back to it, are in the
// compute dtype of the parameters. Gradients of scale and shift go straight into the flat buffers.

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::models {

using parallel::Parameter;

/// A stream and the norm of it.
struct NormedStream {
    at::Tensor stream;  ///< fp32
    at::Tensor normed;
};

/// `stream` (+ `branch`, where it is defined), and its layer norm over the last dimension: statistics in fp32, result in the compute dtype. `bias` may
/// be null. One pass forwards, and one backwards for the gradients of all three.
NormedStream normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, Parameter* bias,
                           double epsilon);
/// The same with x / sqrt(mean(x^2) + epsilon) * weight.
NormedStream rms_normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, double epsilon);

/// stream + branch, fp32; the branch's gradient comes back in its dtype.
at::Tensor add_branch(const at::Tensor& stream, const at::Tensor& branch);

}  // namespace trainyard::models
