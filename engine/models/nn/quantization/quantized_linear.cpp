// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/quantized_linear.h"

#include <utility>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"
#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/quantization/int8_rows.h"
#include "models/nn/quantization/packed_product.h"

namespace trainyard::models {

namespace {

using quantization::PackedMatrix;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// bitsandbytes' 1 / (127 * 127) and 1 / 127.
constexpr float kInverseSquare = 6.200124e-05F;
constexpr double kInverse = 7.874015718698502e-3;

std::vector<std::int64_t> with_last(const at::Tensor& x, std::int64_t last) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = last;
    return shape;
}

/// dy W. Its own backward is a product with W again, for second derivatives.
struct PackedGradientFunction : torch::autograd::Function<PackedGradientFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& dy, const PackedMatrix* weight) {
        context->saved_data["weight"] = reinterpret_cast<std::int64_t>(weight);
        return packed_gradient(dy, *weight, dy.scalar_type()).to(dy.scalar_type());
    }
    static variable_list backward(AutogradContext* context, variable_list gradients);
};

/// The weight is decoded again for the backward, in the dtype that it had: it is not stored in between.
struct PackedFunction : torch::autograd::Function<PackedFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const PackedMatrix* weight) {
        context->saved_data["weight"] = reinterpret_cast<std::int64_t>(weight);
        return parallel::kept_output(
            [&] { return packed_product(rows, *weight, rows.scalar_type()).to(rows.scalar_type()); });
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const auto* weight = reinterpret_cast<const PackedMatrix*>(context->saved_data["weight"].toInt());
        return {PackedGradientFunction::apply(gradients[0], weight), at::Tensor()};
    }
};

variable_list PackedGradientFunction::backward(AutogradContext* context, variable_list gradients) {
    const auto* weight = reinterpret_cast<const PackedMatrix*>(context->saved_data["weight"].toInt());
    return {PackedFunction::apply(gradients[0], weight), at::Tensor()};
}

std::shared_ptr<const PackedMatrix> int8_matrix(const at::Tensor& codes, const at::Tensor& magnitudes) {
    if (codes.dim() != 2 || magnitudes.numel() != codes.size(0))
        throw UserError("an 8-bit weight has {} magnitudes (SCB), and needs one for each of its rows",
                        magnitudes.numel());
    const at::Tensor rows = codes.to(at::kCPU, at::kChar).contiguous(),
                     wide = magnitudes.to(at::kCPU, at::kFloat).contiguous();
    const auto* of_rows = rows.const_data_ptr<std::int8_t>();
    const auto* of_wide = wide.const_data_ptr<float>();
    return std::make_shared<PackedMatrix>(std::vector<std::int8_t>(of_rows, of_rows + rows.numel()),
                                          std::vector<float>(of_wide, of_wide + wide.numel()), codes.size(1));
}

/// The product of codes in fp32: times the magnitudes of both rows, and 1 / 127 for each.
at::Tensor scaled_product_of_codes(const at::Tensor& codes, const std::vector<float>& magnitudes,
                                   const PackedMatrix& weight) {
    const at::Tensor sums = product_of_codes(codes, weight).contiguous();
    at::Tensor y = at::empty(sums.sizes(), at::kFloat);
    const auto* from = sums.const_data_ptr<std::int32_t>();
    auto* to = y.data_ptr<float>();
    const std::int64_t columns = sums.size(1);
    at::parallel_for(0, sums.size(0), 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            for (std::int64_t i = 0; i < columns; ++i)
                to[row * columns + i] =
                    static_cast<float>(from[row * columns + i]) *
                    (magnitudes[static_cast<std::size_t>(row)] * weight.magnitudes()[static_cast<std::size_t>(i)]) *
                    kInverseSquare;
    });
    return y;
}

}  // namespace

FourBitLinear::FourBitLinear(quantization::FourBitWeight weight, at::Tensor bias, std::optional<at::ScalarType> compute)
    : weight_(std::make_shared<PackedMatrix>(std::move(weight))), bias_(std::move(bias)), compute_(compute) {}

at::Tensor FourBitLinear::decoded(at::ScalarType type) const {
    at::Tensor weight = at::empty({weight_->rows(), weight_->columns()}, at::kFloat);
    weight_->decode_rows(0, weight_->rows(), {weight.data_ptr<float>(), static_cast<std::size_t>(weight.numel())});
    return weight.to(type);
}

at::Tensor FourBitLinear::operator()(const at::Tensor& x, const at::Tensor& bias) const {
    const at::ScalarType type = compute_.value_or(x.scalar_type());
    const at::Tensor rows = x.reshape({-1, x.size(-1)}).to(type);
    at::Tensor y = at::GradMode::is_enabled() ? PackedFunction::apply(rows, weight_.get())
                                              : packed_product(rows, *weight_, type, kDirectRowsInUse).to(type);
    if (bias.defined())
        y = y.add(bias.to(type));
    return y.view(with_last(x, weight_->rows())).to(x.scalar_type());
}

Int8Linear::Int8Linear(const at::Tensor& codes, const at::Tensor& magnitudes, at::Tensor bias, double threshold)
    : weight_(int8_matrix(codes, magnitudes)), bias_(std::move(bias)), threshold_(threshold) {}

at::Tensor Int8Linear::evaluate(const at::Tensor& rows, const at::Tensor& bias) const {
    at::NoGradGuard no_grad;
    if (rows.size(0) == 0)
        return at::empty({0, weight_->rows()}, rows.options());
    const at::Tensor wide = rows.to(at::kFloat).contiguous();
    quantization::Int8Rows x =
        quantization::encode_int8_rows({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())},
                                       wide.size(1), static_cast<float>(threshold_));
    const at::Tensor codes = at::from_blob(x.codes.data(), wide.sizes(), at::TensorOptions().dtype(at::kChar));
    at::Tensor y = scaled_product_of_codes(codes, x.magnitudes, *weight_);
    if (bias.defined())
        y.add_(bias);
    y = y.to(rows.scalar_type());
    if (!x.outliers.empty()) {
        const at::Tensor columns = at::tensor(x.outliers);
        const at::Tensor of_weight =
            at::from_blob(const_cast<std::int8_t*>(weight_->codes().data()), {weight_->rows(), weight_->columns()},
                          at::TensorOptions().dtype(at::kChar))
                .index_select(1, columns)
                .to(at::kFloat)
                .mul_(at::from_blob(const_cast<float*>(weight_->magnitudes().data()), {weight_->rows(), 1},
                                    at::TensorOptions().dtype(at::kFloat)));
        y.addmm_(rows.index_select(1, columns), of_weight.mul(kInverse).to(rows.scalar_type()).t());
    }
    return y;
}

at::Tensor Int8Linear::operator()(const at::Tensor& x, const at::Tensor& bias, bool training) const {
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    at::Tensor y;
    if (training) {
        y = PackedFunction::apply(rows, weight_.get());
        if (bias.defined())
            y = y.add(bias.to(x.scalar_type()));
    } else {
        y = evaluate(rows, bias);
    }
    return y.view(with_last(x, weight_->rows()));
}

}  // namespace trainyard::models
