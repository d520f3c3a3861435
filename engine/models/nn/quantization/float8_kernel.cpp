// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/float8_kernel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"
#include "distributed/parallel/deferred_gradients.h"
#include "formats/weights/quantization/module_choice.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

using parallel::Parameter;
using quantization::Float8;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Product = OperandCasts::Product;

constexpr std::array kOperandNames{"input", "weight", "gradient"};

DelayedScaling::Options scaling_options(const config::Fp8Recipe& recipe) {
    return {.history = recipe.amax_history_len,
            .algorithm = recipe.amax_compute_algo == config::AmaxAlgorithm::max
                             ? DelayedScaling::Algorithm::max
                             : DelayedScaling::Algorithm::most_recent,
            .margin = recipe.margin,
            .interval = recipe.interval};
}

Float8 backward_format(const config::Fp8Recipe& recipe) {
    return recipe.fp8_format == config::Fp8Format::hybrid ? Float8::e5m2 : Float8::e4m3;
}

std::unique_ptr<OperandCasts> casts_of(const config::Fp8Recipe& recipe) {
    using Casts = Float8Casts::Recipe;
    switch (recipe.scaling) {
        case config::Fp8Scaling::delayed:
            break;
        case config::Fp8Scaling::tensorwise:
            return std::make_unique<Float8Casts>(Casts::tensorwise, false);
        case config::Fp8Scaling::rowwise:
            return std::make_unique<Float8Casts>(Casts::rowwise, true);
        case config::Fp8Scaling::rowwise_with_gw_hp:
            return std::make_unique<Float8Casts>(Casts::rowwise_with_gw_hp, true);
        case config::Fp8Scaling::mxfp8:
            return std::make_unique<MxCasts>(quantization::MxMode::engine, Float8::e4m3, backward_format(recipe));
    }
    return std::make_unique<DelayedCasts>(recipe);
}

std::int64_t multiple_of(const config::Fp8Recipe& recipe) {
    constexpr std::int64_t kOfProducts = 16;
    return recipe.scaling == config::Fp8Scaling::mxfp8 ? static_cast<std::int64_t>(quantization::kMxBlock)
                                                       : kOfProducts;
}

at::Tensor as_rows(const at::Tensor& x) {
    return x.reshape({-1, x.size(-1)});
}

/// [tokens, width] -> [width, tokens], filled up with zeros.
at::Tensor summed_over_tokens(const at::Tensor& rows, std::int64_t multiple) {
    const std::int64_t missing = (multiple - rows.size(0) % multiple) % multiple;
    const at::Tensor columns = rows.t();
    return missing == 0 ? columns : at::constant_pad_nd(columns, {0, missing});
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
        at::Tensor y = at::mm(casts.input(rows, Product::output), casts.weight(matrix, Product::output).t())
                           .to(compute.scalar_type());
        if (bias != nullptr)
            y.add_(bias->compute().detach());
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
                const at::Tensor dw =
                    at::mm(kernel.casts().gradient(summed_over_tokens(dy, multiple), Product::grad_weight),
                           kernel.casts().input(summed_over_tokens(rows, multiple), Product::grad_weight).t());
                weight.add_gradient(weight.product() == Parameter::Product::in_out ? dw.t() : dw);
            }
            if (bias != nullptr)
                bias->add_row_sum(dy);
        });
        at::Tensor dx;
        if (context->saved_data["needs_x"].toBool()) {
            std::vector<std::int64_t> shape = gradients[0].sizes().vec();
            shape.back() = rows.size(1);
            dx = at::mm(casts.gradient(dy, Product::grad_input),
                        casts.weight(matrix_of(weight).t(), Product::grad_input).t())
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

DelayedCasts::DelayedCasts(const config::Fp8Recipe& recipe)
    : formats_{Float8::e4m3, Float8::e4m3, backward_format(recipe)} {
    const auto is_full = [&](const char* product) {
        return std::ranges::find(recipe.full_precision, product) != recipe.full_precision.end();
    };
    full_[static_cast<int>(Product::output)] = is_full("fprop");
    full_[static_cast<int>(Product::grad_input)] = is_full("dgrad");
    full_[static_cast<int>(Product::grad_weight)] = is_full("wgrad");
    for (const Float8 format : formats_)
        scalings_.emplace_back(quantization::largest_value(format), scaling_options(recipe));
}

at::Tensor DelayedCasts::rounded(const at::Tensor& rows, Product product, Operand operand) const {
    if (full_[static_cast<int>(product)])
        return rows.to(at::kFloat);
    const float scale = scalings_[operand].scale();
    return saturated_codes(rows, at::scalar_tensor(scale).to(rows.device()), formats_[operand])
        .to(at::kFloat)
        .mul_(static_cast<double>(1 / scale));
}

at::Tensor DelayedCasts::input(const at::Tensor& rows, Product product) const {
    return rounded(rows, product, kInput);
}
at::Tensor DelayedCasts::weight(const at::Tensor& rows, Product product) const {
    return rounded(rows, product, kWeight);
}
at::Tensor DelayedCasts::gradient(const at::Tensor& rows, Product product) const {
    return rounded(rows, product, kGradient);
}

void DelayedCasts::see(const at::Tensor& rows, Operand operand) {
    if (rows.numel() > 0)
        scalings_[operand].see(rows.abs().amax().to(at::kFloat).item<float>());
}

Float8Kernel::Float8Kernel(const config::Fp8Recipe& recipe)
    : casts_(casts_of(recipe)), multiple_(multiple_of(recipe)) {}

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
            layers.push_back({parameter->name().substr(0, parameter->name().rfind('.')),
                              parameter->shape()[in_first ? 0 : 1], parameter->shape()[in_first ? 1 : 0]});
            weights.push_back(parameter);
        }
    const std::int64_t multiple = multiple_of(recipe);
    std::vector<quantization::LinearModule> all = layers;
    if (has_vocabulary_head(model.config().task))
        all.push_back({"head", multiple, multiple});
    const std::vector<std::string> chosen = quantization::fp8_layers(all);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].in % multiple != 0 || layers[i].out % multiple != 0 ||
            std::ranges::find(chosen, layers[i].name) == chosen.end())
            continue;
        names_.push_back(layers[i].name);
        kernels_.push_back(std::make_shared<Float8Kernel>(recipe));
        weights[i]->set_kernel(kernels_.back());
    }
    if (names_.empty())
        throw UserError(
            "training.mixed_precision: {}",
            Message("fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the last, and "
                    "the model has none: use bf16",
                    multiple));
}

void Float8Layers::update(parallel::Communicator& ranks) {
    if (kernels_.empty() || kernels_.front()->delayed() == nullptr)
        return;
    std::vector<float> largest;
    for (const auto& kernel : kernels_)
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand)
            largest.push_back(kernel->delayed()->scaling(operand).state().history.front());
    if (ranks.size() > 1) {
        const at::Tensor all = at::tensor(largest, at::kFloat).to(ranks.device());
        ranks.all_reduce(all, "largest magnitudes of fp8 operands", parallel::ReduceOp::max).wait();
        const at::Tensor here = all.to(at::kCPU);
        std::copy_n(here.const_data_ptr<float>(), largest.size(), largest.begin());
    }
    std::size_t at = 0;
    for (const auto& kernel : kernels_)
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            DelayedScaling& scaling = kernel->delayed()->scaling(operand);
            scaling.see(largest[at++]);
            scaling.update();
        }
}

Tree Float8Layers::state_dict() const {
    if (kernels_.front()->delayed() == nullptr)
        return {};
    Tree all = Tree::dict();
    for (std::size_t i = 0; i < names_.size(); ++i) {
        Tree layer = Tree::dict();
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            const DelayedScaling::State& state = kernels_[i]->delayed()->scaling(operand).state();
            layer.set(kOperandNames[static_cast<std::size_t>(operand)],
                      Tree::dict({{"amax_history", at::tensor(state.history)},
                                  {"scale", at::tensor({state.scale})},
                                  {"updates", state.updates}}));
        }
        all.set(names_[i], std::move(layer));
    }
    return all;
}

void Float8Layers::load_state_dict(const Tree& saved) {
    if (kernels_.front()->delayed() == nullptr)
        return;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const Tree* layer = saved.find(names_[i]);
        if (layer == nullptr)
            throw UserError("the checkpoint has no scales of {}, which is computed in fp8", names_[i]);
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            const Tree& own = layer->at(kOperandNames[static_cast<std::size_t>(operand)]);
            const at::Tensor history = own.at("amax_history").as_tensor().to(at::kCPU, at::kFloat).contiguous();
            const auto* values = history.const_data_ptr<float>();
            kernels_[i]->delayed()->scaling(operand).load({{values, values + history.numel()},
                                                           own.at("scale").as_tensor().item<float>(),
                                                           own.at("updates").as_integer()});
        }
    }
}

}  // namespace trainyard::models
