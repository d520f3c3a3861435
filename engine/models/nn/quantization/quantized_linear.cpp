#include "models/nn/quantization/quantized_linear.h"

#include <utility>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/quantization/int8_rows.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// bitsandbytes' 1 / (127 * 127) and 1 / 127.
constexpr double kInverseSquare = 6.200124e-05, kInverse = 7.874015718698502e-3;

std::vector<std::int64_t> with_last(const at::Tensor& x, std::int64_t last) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = last;
    return shape;
}

/// The weight is decoded again for the backward, in the dtype that it had: it is not stored in between.
struct FourBitFunction : torch::autograd::Function<FourBitFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const FourBitLinear* layer) {
        context->saved_data["layer"] = reinterpret_cast<std::int64_t>(layer);
        return at::mm(rows, layer->decoded(rows.scalar_type()).t());
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const auto& layer = *reinterpret_cast<const FourBitLinear*>(context->saved_data["layer"].toInt());
        const at::Tensor& dy = gradients[0];
        return {at::mm(dy, layer.decoded(layer.weight_type()).to(dy.scalar_type())), at::Tensor()};
    }
};

}  // namespace

FourBitLinear::FourBitLinear(quantization::FourBitWeight weight, at::Tensor bias, std::optional<at::ScalarType> compute)
    : weight_(std::move(weight)),
      bias_(std::move(bias)),
      compute_(compute),
      weight_type_(dtype_of_name(weight_.options.dtype).value_or(at::kFloat)) {
    if (weight_.shape.size() != 2)
        throw UserError("a 4-bit weight of a Linear layer has {} dimensions, and must have 2", weight_.shape.size());
}

at::Tensor FourBitLinear::decoded(at::ScalarType type) const {
    at::Tensor weight = at::empty(weight_.shape, at::kFloat);
    auto* to = weight.data_ptr<float>();
    constexpr std::int64_t kGrain = 1 << 14;
    at::parallel_for(0, weight.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        quantization::decode_four_bit(weight_, begin, {to + begin, to + end});
    });
    return weight.to(type);
}

at::Tensor FourBitLinear::operator()(const at::Tensor& x) const {
    const at::ScalarType type = compute_.value_or(x.scalar_type());
    at::Tensor y = FourBitFunction::apply(x.reshape({-1, x.size(-1)}).to(type), this);
    if (bias_.defined())
        y = y.add(bias_.to(type));
    return y.view(with_last(x, weight_.shape[0])).to(x.scalar_type());
}

Int8Linear::Int8Linear(at::Tensor codes, at::Tensor magnitudes, at::Tensor bias, double threshold)
    : codes_(std::move(codes)), magnitudes_(std::move(magnitudes)), bias_(std::move(bias)), threshold_(threshold) {
    if (codes_.dim() != 2 || magnitudes_.numel() != codes_.size(0))
        throw UserError("an 8-bit weight has {} magnitudes (SCB), and needs one for each of its rows",
                        magnitudes_.numel());
}

at::Tensor Int8Linear::evaluate(const at::Tensor& rows) const {
    at::NoGradGuard no_grad;
    if (rows.size(0) == 0)
        return at::empty({0, codes_.size(0)}, rows.options());
    const at::Tensor wide = rows.to(at::kFloat).contiguous();
    quantization::Int8Rows x =
        quantization::encode_int8_rows({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())},
                                       wide.size(1), static_cast<float>(threshold_));
    const at::Tensor codes = at::tensor(x.codes, at::kChar).view(wide.sizes());
    const at::Tensor scales = at::tensor(x.magnitudes).unsqueeze(1).mul(magnitudes_.unsqueeze(0));
    at::Tensor y = at::_int_mm(codes, codes_.t()).to(at::kFloat).mul_(scales).mul_(kInverseSquare);
    if (bias_.defined())
        y.add_(bias_);
    y = y.to(rows.scalar_type());
    if (!x.outliers.empty()) {
        const at::Tensor columns = at::tensor(x.outliers);
        const at::Tensor weight = codes_.index_select(1, columns).to(at::kFloat).mul_(magnitudes_.unsqueeze(1));
        y.addmm_(rows.index_select(1, columns), weight.mul_(kInverse).to(rows.scalar_type()).t());
    }
    return y;
}

at::Tensor Int8Linear::operator()(const at::Tensor& x, bool training) const {
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    at::Tensor y;
    if (training) {
        const at::ScalarType type = x.scalar_type();
        const at::Tensor weight = codes_.to(type).mul_(magnitudes_.unsqueeze(1).div(127));
        y = at::mm(rows, weight.t());
        if (bias_.defined())
            y = y.add(bias_.to(type));
    } else {
        y = evaluate(rows);
    }
    return y.view(with_last(x, codes_.size(0)));
}

}  // namespace trainyard::models
