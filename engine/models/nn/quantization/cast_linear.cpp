// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/cast_linear.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"
#include "distributed/parallel/activation_checkpoint.h"

namespace trainyard::models {

namespace {

using quantization::Float8;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// [tokens, width] -> [width, tokens], filled up with zeros.
at::Tensor over_tokens(const at::Tensor& rows, std::int64_t multiple) {
    const std::int64_t missing = (multiple - rows.size(0) % multiple) % multiple;
    return missing == 0 ? rows.t() : at::constant_pad_nd(rows.t(), {0, missing});
}

struct CastLinearFunction : torch::autograd::Function<CastLinearFunction> {
    using Product = OperandCasts::Product;

    static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& weight,
                              const OperandCasts* casts) {
        context->save_for_backward({rows, weight});
        context->saved_data["casts"] = reinterpret_cast<std::int64_t>(casts);
        return parallel::kept_output([&] {
            return at::mm(casts->input(rows, Product::output), casts->weight(weight, Product::output).t())
                .to(rows.scalar_type());
        });
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        if (at::GradMode::is_enabled())
            throw UserError("layers in fp8 have no second derivatives: compute in bf16, or leave create_graph out");
        const auto& casts = *reinterpret_cast<const OperandCasts*>(context->saved_data["casts"].toInt());
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &rows = saved[0], &weight = saved[1];
        const at::Tensor& dy = gradients[0];
        at::Tensor dx, dw;
        if (context->needs_input_grad(0))
            dx = at::mm(casts.gradient(dy, Product::grad_input), casts.weight(weight.t(), Product::grad_input).t())
                     .to(rows.scalar_type());
        if (context->needs_input_grad(1)) {
            const std::int64_t multiple = casts.tokens_multiple();
            dw = at::mm(casts.gradient(over_tokens(dy, multiple), Product::grad_weight),
                        casts.input(over_tokens(rows, multiple), Product::grad_weight).t())
                     .to(weight.scalar_type());
        }
        return {dx, dw, at::Tensor()};
    }
};

}  // namespace

at::ScalarType float8_type(Float8 format) {
    return format == Float8::e4m3 ? at::kFloat8_e4m3fn : at::kFloat8_e5m2;
}

at::Tensor Float8Operand::decoded() const {
    return codes.to(at::kFloat).div_(scale);
}

at::Tensor saturated_codes(const at::Tensor& rows, const at::Tensor& scale, Float8 format) {
    const float largest = quantization::largest_value(format);
    return rows.to(at::kFloat).mul(scale).clamp_(-largest, largest).to(float8_type(format));
}

Float8Operand float8_operand(const at::Tensor& rows, Float8 format, bool of_rows, bool power_of_two,
                             parallel::Communicator* ranks) {
    constexpr double kSmallest = 1e-12;
    if (rows.numel() == 0)
        return {rows.to(float8_type(format)), at::ones({1}, rows.options().dtype(at::kFloat))};
    const at::Tensor magnitudes = rows.abs(),
                     amax = (of_rows ? magnitudes.amax(1, true) : magnitudes.amax()).to(at::kFloat);
    if (ranks != nullptr)
        ranks->all_reduce(amax, "largest magnitudes of fp8 operands", parallel::ReduceOp::max).wait();
    const at::Tensor divisor = amax.to(at::kDouble).clamp_min_(kSmallest);
    at::Tensor scale = at::full_like(divisor, quantization::largest_value(format)).div_(divisor).to(at::kFloat);
    if (power_of_two)
        scale = scale.log2().floor_().exp2();
    return {saturated_codes(rows, scale, format), scale};
}

at::Tensor mx_rounded(const at::Tensor& rows, Float8 format, quantization::MxMode mode) {
    if (rows.size(-1) % static_cast<std::int64_t>(quantization::kMxBlock) != 0)
        throw UserError("MXFP8 needs sizes that are multiples of 32, and a product sums over {} elements",
                        rows.size(-1));
    const at::Tensor wide = rows.to(at::kCPU, at::kFloat).contiguous(), decoded = at::empty_like(wide);
    const auto count = static_cast<std::size_t>(wide.numel());
    std::vector<std::uint8_t> scales(count / quantization::kMxBlock), codes(count);
    quantization::encode_mx({wide.const_data_ptr<float>(), count}, format, mode, scales, codes);
    quantization::decode_mx(scales, codes, format, {decoded.data_ptr<float>(), count});
    return decoded.to(rows.device());
}

Float8Casts::Recipe Float8Casts::recipe(std::string_view name) {
    if (name == "tensorwise")
        return Recipe::tensorwise;
    if (name == "rowwise")
        return Recipe::rowwise;
    if (name == "rowwise_with_gw_hp")
        return Recipe::rowwise_with_gw_hp;
    throw std::invalid_argument("unknown recipe of fp8 " + std::string(name));
}

at::Tensor Float8Casts::cast(const at::Tensor& rows, Operand operand, Product product,
                             const OperandShare& share) const {
    if (recipe_ == Recipe::rowwise_with_gw_hp && product == Product::grad_weight)
        return rows.to(at::kFloat);
    const bool whole = recipe_ == Recipe::tensorwise ||
                       (recipe_ == Recipe::rowwise_with_gw_hp && operand == kWeight && product == Product::grad_input);
    const Float8 format = recipe_ == Recipe::tensorwise && operand == kGradient ? Float8::e5m2 : Float8::e4m3;
    return float8_operand(rows, format, !whole, power_of_two_, whole || share.along ? share.ranks : nullptr).decoded();
}

at::Tensor MxCasts::cast(const at::Tensor& rows, Operand operand, Product, const OperandShare&) const {
    return mx_rounded(rows, operand == kGradient ? backward_ : forward_, mode_);
}

at::Tensor cast_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const OperandCasts& casts) {
    // The view is made outside of the function, so that the result may be changed in place.
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    const at::Tensor y = CastLinearFunction::apply(x.reshape({-1, x.size(-1)}), weight, &casts).view(shape);
    return bias.defined() ? y.add(bias) : y;
}

}  // namespace trainyard::models
