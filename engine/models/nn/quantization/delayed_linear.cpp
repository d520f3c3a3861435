// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/delayed_linear.h"

#include <array>
#include <utility>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/nn/quantization/cast_linear.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Codes by the current scale; the magnitude counts for the next ones in a step that trains.
at::Tensor cast_codes(const at::Tensor& rows, DelayedScaling& scaling, quantization::Float8 format, bool trains) {
    const at::Tensor codes = saturated_codes(rows, at::scalar_tensor(scaling.scale()).to(rows.device()), format);
    if (trains && rows.numel() > 0)
        scaling.see(rows.abs().amax().to(at::kFloat).item<float>());
    return codes;
}

at::Tensor decoded(const at::Tensor& codes, double inverse_scale) {
    return codes.to(at::kFloat).mul_(inverse_scale);
}

double inverse_scale(const DelayedScaling& scaling) {
    return static_cast<double>(1 / scaling.scale());
}

}  // namespace

struct DelayedLinearFunction : torch::autograd::Function<DelayedLinearFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                              DelayedLinear* layer, bool trains) {
        const DelayedOptions& options = layer->options_;
        const at::Tensor rows = x.reshape({-1, x.size(-1)});
        const double of_input = inverse_scale(layer->input_), of_weight = inverse_scale(layer->weight_);
        const at::Tensor x_codes = cast_codes(rows, layer->input_, options.forward, trains);
        const at::Tensor w_codes = cast_codes(weight, layer->weight_, options.forward, trains);
        at::Tensor y = options.full_output ? at::mm(rows.to(at::kFloat), weight.to(at::kFloat).t())
                                           : at::mm(decoded(x_codes, of_input), decoded(w_codes, of_weight).t());
        y = y.to(x.scalar_type());
        if (trains) {
            layer->input_.update();
            layer->weight_.update();
        }
        context->save_for_backward(
            {options.full_grad_weight ? rows : x_codes, options.full_grad_input ? weight : w_codes});
        context->saved_data["layer"] = reinterpret_cast<std::int64_t>(layer);
        context->saved_data["of_input"] = of_input;
        context->saved_data["of_weight"] = of_weight;
        context->saved_data["x type"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["weight type"] = static_cast<std::int64_t>(weight.scalar_type());
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = weight.size(0);
        return y.view(shape);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto& layer = *reinterpret_cast<DelayedLinear*>(context->saved_data["layer"].toInt());
        const DelayedOptions& options = layer.options_;
        const auto type = [&](const char* key) {
            return static_cast<at::ScalarType>(context->saved_data[key].toInt());
        };
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1];
        const at::Tensor dy = gradients[0].reshape({-1, weight.size(0)}), wide = dy.to(at::kFloat);
        const double of_gradient = inverse_scale(layer.gradient_);
        const at::Tensor narrow = decoded(cast_codes(dy, layer.gradient_, options.backward, true), of_gradient);
        std::vector<std::int64_t> shape = gradients[0].sizes().vec();
        shape.back() = weight.size(1);
        at::Tensor dx, dw;
        if (context->needs_input_grad(0))
            dx =
                (options.full_grad_input ? at::mm(wide, weight.to(at::kFloat))
                                         : at::mm(narrow, decoded(weight, context->saved_data["of_weight"].toDouble())))
                    .to(type("x type"))
                    .view(shape);
        if (context->needs_input_grad(1))
            dw = (options.full_grad_weight ? at::mm(wide.t(), x.to(at::kFloat))
                                           : at::mm(narrow.t(), decoded(x, context->saved_data["of_input"].toDouble())))
                     .to(type("weight type"));
        layer.gradient_.update();
        return {dx, dw, at::Tensor(), at::Tensor()};
    }
};

DelayedLinear::DelayedLinear(const DelayedOptions& options)
    : options_(options),
      input_(quantization::largest_value(options.forward), options.scaling),
      weight_(quantization::largest_value(options.forward), options.scaling),
      gradient_(quantization::largest_value(options.backward), options.scaling) {}

at::Tensor DelayedLinear::operator()(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    const at::Tensor y = DelayedLinearFunction::apply(x, weight, this, at::GradMode::is_enabled());
    return bias.defined() ? y.add(bias) : y;
}

Tree DelayedLinear::state_dict() const {
    Tree all = Tree::dict();
    for (const auto& [name, scaling] :
         {std::pair("input", &input_), std::pair("weight", &weight_), std::pair("gradient", &gradient_)}) {
        const DelayedScaling::State& state = scaling->state();
        all.set(name, Tree::dict({{"amax_history", at::tensor(state.history)},
                                  {"scale", at::tensor({state.scale})},
                                  {"updates", state.updates}}));
    }
    return all;
}

void DelayedLinear::load_state_dict(const Tree& saved) {
    const auto read = [&](const char* name) {
        const Tree& own = saved.at(name);
        const at::Tensor history = own.at("amax_history").as_tensor().to(at::kCPU, at::kFloat).contiguous();
        const auto* values = history.const_data_ptr<float>();
        return DelayedScaling::State{{values, values + history.numel()},
                                     own.at("scale").as_tensor().item<float>(),
                                     own.at("updates").as_integer()};
    };
    std::array states{read("input"), read("weight"), read("gradient")};
    DelayedScaling input = input_, weight = weight_, gradient = gradient_;
    input.load(std::move(states[0]));
    weight.load(std::move(states[1]));
    gradient.load(std::move(states[2]));
    input_ = std::move(input);
    weight_ = std::move(weight);
    gradient_ = std::move(gradient);
}

}  // namespace trainyard::models
