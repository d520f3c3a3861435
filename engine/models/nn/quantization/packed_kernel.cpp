// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/packed_kernel.h"

#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "models/nn/kernels/products.h"
#include "models/nn/quantization/packed_product.h"

namespace trainyard::models {

namespace {

std::variant<FourBitLinear, Int8Linear> linear_of(const std::shared_ptr<const quantization::PackedMatrix>& weight,
                                                  const PackedOptions& options) {
    if (weight->is_int8())
        return Int8Linear(weight, options.threshold);
    return FourBitLinear(weight, options.compute.value_or(options.result));
}

struct CastProduct : torch::autograd::Function<CastProduct> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& rows,
                              const CastKernel* kernel, parallel::Parameter* bias) {
        context->saved_data["kernel"] = reinterpret_cast<std::int64_t>(kernel);
        return parallel::kept_output([&] {
            return models::product(rows, kernel->matrix(),
                                   bias != nullptr ? bias->compute().detach().to(rows.scalar_type()) : at::Tensor());
        });
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto& kernel = *reinterpret_cast<const CastKernel*>(context->saved_data["kernel"].toInt());
        return {models::product(gradients[0], kernel.matrix().t()), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

PackedKernel::PackedKernel(std::shared_ptr<const quantization::PackedMatrix> weight, const PackedOptions& options)
    : weight_(std::move(weight)),
      result_(options.result),
      compute_(weight_->is_int8() ? options.result : options.compute.value_or(options.result)),
      linear_(linear_of(weight_, options)) {}

at::Tensor PackedKernel::multiply(const at::Tensor& x, parallel::Parameter&, parallel::Parameter* bias) {
    const at::Tensor input = x.to(result_), shift = bias != nullptr ? bias->compute().detach() : at::Tensor();
    if (const auto* four_bit = std::get_if<FourBitLinear>(&linear_))
        return (*four_bit)(input, shift);
    return std::get<Int8Linear>(linear_)(input, shift, !InUse::is_set());
}

at::Tensor PackedKernel::product(const at::Tensor& x) const {
    return packed_product(x.to(compute_), *weight_, compute_).to(compute_).to(x.scalar_type());
}

at::Tensor PackedKernel::gradient(const at::Tensor& dy) const {
    return packed_gradient(dy.to(compute_), *weight_, compute_).to(compute_).to(dy.scalar_type());
}

at::Tensor CastKernel::matrix() const {
    const at::Tensor cast = stored_.to(compute_);
    return in_first_ ? cast : cast.t();
}

at::Tensor CastKernel::product(const at::Tensor& x) const {
    return models::product(x.to(compute_), matrix()).to(x.scalar_type());
}

at::Tensor CastKernel::gradient(const at::Tensor& dy) const {
    return models::product(dy.to(compute_), matrix().t()).to(dy.scalar_type());
}

at::Tensor CastKernel::multiply(const at::Tensor& x, parallel::Parameter&, parallel::Parameter* bias) {
    const at::Tensor rows = x.reshape({-1, x.size(-1)}).to(compute_);
    const at::Tensor y = CastProduct::apply(rows, this, bias).to(result_);
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = y.size(1);
    return y.view(shape);
}

}  // namespace trainyard::models
