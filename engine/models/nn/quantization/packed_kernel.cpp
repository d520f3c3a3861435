// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/packed_kernel.h"

#include <utility>

#include "models/nn/kernels/products.h"

namespace trainyard::models {

namespace {

std::variant<FourBitLinear, Int8Linear> linear_of(const std::shared_ptr<const quantization::PackedMatrix>& weight,
                                                  const PackedOptions& options) {
    if (weight->is_int8())
        return Int8Linear(weight, options.threshold);
    return FourBitLinear(weight, options.compute.value_or(options.result));
}

}  // namespace

PackedKernel::PackedKernel(std::shared_ptr<const quantization::PackedMatrix> weight, const PackedOptions& options)
    : weight_(std::move(weight)), result_(options.result), linear_(linear_of(weight_, options)) {}

at::Tensor PackedKernel::multiply(const at::Tensor& x, parallel::Parameter&, parallel::Parameter* bias) {
    const at::Tensor input = x.to(result_), shift = bias != nullptr ? bias->compute().detach() : at::Tensor();
    if (const auto* four_bit = std::get_if<FourBitLinear>(&linear_))
        return (*four_bit)(input, shift);
    return std::get<Int8Linear>(linear_)(input, shift, !InUse::is_set());
}

}  // namespace trainyard::models
