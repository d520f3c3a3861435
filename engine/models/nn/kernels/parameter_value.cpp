// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/parameter_value.h"

#include <torch/csrc/autograd/custom_function.h>

#include "models/nn/kernels/saved_parameter.h"

namespace trainyard::models {

namespace {

struct ParameterValue : torch::autograd::Function<ParameterValue> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& compute,
                              parallel::Parameter* parameter) {
        keep(context, "parameter", *parameter);
        return compute.detach();
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        if (gradients[0].defined())
            saved_parameter(context, "parameter").add_gradient(gradients[0]);
        return {at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor value_of(parallel::Parameter& parameter) {
    return ParameterValue::apply(parameter.compute(), &parameter);
}

}  // namespace trainyard::models
