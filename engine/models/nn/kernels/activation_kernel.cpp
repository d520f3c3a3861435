// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/activation_kernel.h"

#include <ATen/ops/erf.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/tanh.h>

#include "models/nn/kernels/linear.h"

namespace trainyard::models {

at::Tensor activate(families::Activation activation, const at::Tensor& x) {
    using families::Activation;
    switch (activation) {
        case Activation::gelu:
            return at::gelu(x);
        case Activation::gelu_10:
            return at::gelu(x).clamp(-10, 10);
        case Activation::gelu_tanh:
            return gelu_tanh(x);
        case Activation::quick_gelu:
            return x.mul(at::sigmoid(x.mul(1.702)));
        case Activation::hardswish:
            return at::hardswish(x);
        case Activation::laplace:
            // Ma et al., "Mega: moving average equipped gated attention", ICLR 2023: mu 0.707107, sigma 0.282095.
            return at::erf(x.sub(0.707107).div(0.282095 * 1.4142135623730951)).add(1.0).mul(0.5);
        case Activation::leaky_relu:
            return at::leaky_relu(x);
        case Activation::linear:
            return x;
        case Activation::mish:
            return at::mish(x);
        case Activation::relu:
            return at::relu(x);
        case Activation::relu2:
            return at::relu(x).square();
        case Activation::relu6:
            return at::hardtanh(x, 0, 6);
        case Activation::sigmoid:
            return at::sigmoid(x);
        case Activation::silu:
            return at::silu(x);
        case Activation::sqrtsoftplus:
            return at::sqrt(at::softplus(x));
        case Activation::tanh:
            return at::tanh(x);
    }
    return x;
}

}  // namespace trainyard::models
