// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch norm with what follows it in a residual network, in one pass each way. Ioffe and Szegedy, "Batch normalization", 2015.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

struct BatchNorm {
    parallel::Parameter* weight;
    parallel::Parameter* bias;
    at::Tensor mean, variance;  ///< running statistics, fp32 [channels]; training changes them
    bool training = true;
    double momentum = 0.1, epsilon = 1e-5;
    bool rectifies = false;  ///< ReLU behind the sum
};

/// The norm of x [batch, channels, height, width], fp32, plus `residual` of the same shape if it is defined. On the CPU the result is in
/// channels-last order, which our loops and oneDNN's convolutions take without another copy.
at::Tensor batch_norm(const at::Tensor& x, const BatchNorm& norm, const at::Tensor& residual = {});

/// Channels last on the CPU; elsewhere as it is.
at::Tensor with_channels_last(const at::Tensor& x);

}  // namespace trainyard::models
