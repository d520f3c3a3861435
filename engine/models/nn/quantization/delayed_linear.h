// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A Linear layer in fp8 with delayed scaling. It has a scale for its inputs, its weight and its gradients, which
// checkpoints save.

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"
#include "formats/weights/quantization/float8.h"
#include "models/nn/quantization/delayed_scaling.h"

namespace trainyard::models {

struct DelayedOptions {
    DelayedScaling::Options scaling;
    quantization::Float8 forward = quantization::Float8::e4m3;   ///< of inputs and weights
    quantization::Float8 backward = quantization::Float8::e5m2;  ///< of gradients; HYBRID with the defaults
    /// Products in full precision: the output, the gradient of the input, that of the weight.
    bool full_output = false, full_grad_input = false, full_grad_weight = false;
};

class DelayedLinear : public Stateful {
  public:
    explicit DelayedLinear(const DelayedOptions& options);
    DelayedLinear(const DelayedLinear&) = delete;
    DelayedLinear& operator=(const DelayedLinear&) = delete;

    /// x [..., in], weight [out, in] and bias [out] (undefined: none) -> [..., out]. With gradients, the scales of
    /// input and weight are updated after the product, that of the gradient after the backward. It outlives the
    /// backward.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

    const DelayedScaling& input() const { return input_; }
    const DelayedScaling& weight() const { return weight_; }
    const DelayedScaling& gradient() const { return gradient_; }

    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    friend struct DelayedLinearFunction;
    DelayedOptions options_;
    DelayedScaling input_, weight_, gradient_;
};

}  // namespace trainyard::models
