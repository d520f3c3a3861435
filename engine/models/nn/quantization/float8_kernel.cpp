// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/float8_kernel.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"
#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/deferred_gradients.h"
#include "distributed/parallel/tensor_part.h"
#include "formats/weights/quantization/module_choice.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

using parallel::Parameter;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Product = OperandCasts::Product;

at::Tensor as_rows(const at::Tensor& x) {
    return x.reshape({-1, x.size(-1)});
}

/// [tokens, width] -> [width, tokens], filled up with zeros.
at::Tensor summed_over_tokens(const at::Tensor& rows, std::int64_t multiple) {
    const std::int64_t missing = (multiple - rows.size(0) % multiple) % multiple;
    const at::Tensor columns = rows.t();
    return missing == 0 ? columns : at::constant_pad_nd(columns, {0, missing});
}

/// The part of an operand that a rank of a shared layer has.
OperandShare share_of(const Parameter& weight, OperandCasts::Operand operand, Product product) {
    const parallel::TensorPart* part = weight.part();
    if (part == nullptr || !part->is_divided())
        return {};
    const bool by_outputs = part->placement == parallel::Placement::column;
    if (operand == (by_outputs ? OperandCasts::kInput : OperandCasts::kGradient))
        return {};
    return {part->ranks, product == (by_outputs ? Product::grad_input : Product::output)};
}

/// The leaf `compute` is an argument only so that autograd visits the node. The weight is read again for the backward.
struct Float8Function : torch::autograd::Function<Float8Function> {
    static at::Tensor matrix_of(const Parameter& weight) {  // [out, in]
        const at::Tensor compute = weight.compute().detach();
        return weight.product() == Parameter::Product::in_out ? compute.t() : compute;
    }

    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              Parameter* weight, Parameter* bias, Float8Kernel* kernel, bool trains) {
        const at::Tensor rows = as_rows(x).to(compute.scalar_type()), matrix = matrix_of(*weight);
        if (trains && kernel->delayed() != nullptr) {
            kernel->delayed()->see(rows, DelayedCasts::kInput);
            kernel->delayed()->see(matrix, DelayedCasts::kWeight);
        }
        const OperandCasts& casts = kernel->casts();
        const auto share = [&](OperandCasts::Operand operand) { return share_of(*weight, operand, Product::output); };
        const at::Tensor y = parallel::kept_output([&] {
            at::Tensor sum = at::mm(casts.input(rows, Product::output, share(OperandCasts::kInput)),
                                    casts.weight(matrix, Product::output, share(OperandCasts::kWeight)).t())
                                 .to(compute.scalar_type());
            return bias != nullptr ? sum.add_(bias->compute().detach()) : sum;
        });
        context->save_for_backward({rows});
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["needs_x"] = x.requires_grad();
        context->saved_data["kernel"] = reinterpret_cast<std::int64_t>(kernel);
        keep(context, "weight", *weight);
        keep(context, "bias", bias);
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = y.size(1);
        return y.view(shape);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        Parameter &weight = saved_parameter(context, "weight"), *bias = saved_parameter_or_null(context, "bias");
        auto& kernel = *reinterpret_cast<Float8Kernel*>(context->saved_data["kernel"].toInt());
        const OperandCasts& casts = kernel.casts();
        const at::Tensor rows = context->get_saved_variables()[0];
        const at::Tensor dy = as_rows(gradients[0]).to(rows.scalar_type());
        if (kernel.delayed() != nullptr)
            kernel.delayed()->see(dy, DelayedCasts::kGradient);
        parallel::DeferredGradients::make([&weight, bias, &kernel, rows, dy] {
            if (weight.trains()) {
                const std::int64_t multiple = kernel.multiple();
                const auto share = [&](OperandCasts::Operand operand) {
                    return share_of(weight, operand, Product::grad_weight);
                };
                const at::Tensor dw = at::mm(
                    kernel.casts().gradient(summed_over_tokens(dy, multiple), Product::grad_weight,
                                            share(OperandCasts::kGradient)),
                    kernel.casts()
                        .input(summed_over_tokens(rows, multiple), Product::grad_weight, share(OperandCasts::kInput))
                        .t());
                weight.add_gradient(weight.product() == Parameter::Product::in_out ? dw.t() : dw);
            }
            if (bias != nullptr)
                bias->add_row_sum(dy);
        });
        at::Tensor dx;
        if (context->saved_data["needs_x"].toBool()) {
            std::vector<std::int64_t> shape = gradients[0].sizes().vec();
            shape.back() = rows.size(1);
            const auto share = [&](OperandCasts::Operand operand) {
                return share_of(weight, operand, Product::grad_input);
            };
            dx = at::mm(casts.gradient(dy, Product::grad_input, share(OperandCasts::kGradient)),
                        casts.weight(matrix_of(weight).t(), Product::grad_input, share(OperandCasts::kWeight)).t())
                     .view(shape)
                     .to(static_cast<at::ScalarType>(context->saved_data["dtype"].toInt()));
        }
        return {dx, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

/// True if the head of the task multiplies with the vocabulary table and is not a Linear module of the engine.
bool has_vocabulary_head(const std::string& task) {
    return task == families::kCausalLm || task == families::kMaskedLm || task == families::kSeq2SeqLm;
}

}  // namespace

Float8Kernel::Float8Kernel(const config::Fp8Recipe& recipe)
    : casts_(make_fp8_casts(recipe)), multiple_(fp8_multiple(recipe)) {}

at::Tensor Float8Kernel::multiply(const at::Tensor& x, Parameter& weight, Parameter* bias) {
    return Float8Function::apply(x, weight.compute(), &weight, bias, this, at::GradMode::is_enabled());
}

Float8Layers::Float8Layers(const Model& model, const config::Fp8Recipe& recipe) {
    std::vector<quantization::LinearModule> layers;
    std::vector<Parameter*> weights;
    for (const parallel::Unit* unit : model.units())
        for (Parameter* parameter : unit->parameters()) {
            const Parameter::Product product = parameter->product();
            if (product == Parameter::Product::none)
                continue;
            const bool in_first = product == Parameter::Product::in_out;
            const std::vector<std::int64_t>& shape = parameter->whole_shape();
            layers.push_back({parameter->name().substr(0, parameter->name().rfind('.')), shape[in_first ? 0 : 1],
                              shape[in_first ? 1 : 0]});
            weights.push_back(parameter);
        }
    const std::int64_t multiple = fp8_multiple(recipe);
    std::vector<quantization::LinearModule> all = layers;
    if (has_vocabulary_head(model.config().task))
        all.push_back({"head", multiple, multiple});
    const std::vector<std::string> chosen = choose_fp8_layers(all, recipe);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (std::ranges::find(chosen, layers[i].name) == chosen.end())
            continue;
        names_.push_back(layers[i].name);
        kernels_.push_back(std::make_shared<Float8Kernel>(recipe));
        scales_.add(layers[i].name, kernels_.back()->delayed());
        weights[i]->set_kernel(kernels_.back());
        weights_.push_back(weights[i]);
    }
    if (names_.empty())
        throw UserError(
            "training.mixed_precision: {}",
            Message("fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the last, and "
                    "the model has none: use bf16",
                    multiple));
}

}  // namespace trainyard::models
