// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/layerwise_casting.h"

#include <algorithm>
#include <regex>

#include <ATen/core/grad_mode.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"

namespace trainyard::dispatch {

bool is_cast_layerwise(const ModelTensor& tensor) {
    return tensor.parameter != nullptr && !tensor.is_adapter() &&
           (tensor.parameter->product() != parallel::Parameter::Product::none || tensor.parameter->shape().size() == 4);
}

std::unique_ptr<Dispatched> attach_layerwise_casting_hooks(const models::Model& model,
                                                           const LayerwiseCasting& casting) {
    at::NoGradGuard no_grad;
    for (const at::ScalarType type : {casting.storage_dtype, casting.compute_dtype})
        if (!at::isFloatingType(type))
            throw UserError("layerwise casting stores and computes floating-point numbers, not {}", dtype_name(type));
    std::vector<std::regex> skipped;
    for (const std::string& pattern : casting.skip_modules_pattern)
        try {
            skipped.emplace_back(pattern);
        } catch (const std::regex_error&) {
            throw UserError("skip_modules_pattern: '{}' is not a regular expression", pattern);
        }
    std::vector<UnitWeights> units;
    for (parallel::Unit* unit : model.units()) {
        UnitWeights weights;
        weights.device =
            unit->parameters().empty() ? c10::Device(at::kCPU) : unit->parameters().front()->value().device();
        for (parallel::Parameter* parameter : unit->parameters()) {
            const ModelTensor tensor{parameter->name(), unit, parameter, nullptr};
            if (!parameter->value().defined() || parameter->value().is_meta())
                throw UserError("{} has no value yet: load a checkpoint before its weights are cast", tensor.name);
            const bool skips = std::ranges::any_of(
                skipped, [&](const std::regex& pattern) { return std::regex_search(tensor.name, pattern); });
            if (!is_cast_layerwise(tensor) || skips) {
                // Norms and biases give what the products of their neighbours take.
                const auto [value, compute] =
                    values_for(tensor, parameter->value(), casting.compute_dtype, parameter->value().device());
                if (parameter->shape().size() < 2)
                    tensor.place(value, compute);
                continue;
            }
            const at::Tensor stored = parameter->value().to(casting.storage_dtype);
            tensor.place({}, {});
            weights.uses.push_back({tensor,
                                    {.tensor = stored,
                                     .type = casting.storage_dtype,
                                     .shape = parameter->shape(),
                                     .compute = casting.compute_dtype},
                                    false});
        }
        units.push_back(std::move(weights));
    }
    return std::make_unique<Dispatched>(model, std::move(units), 0);
}

}  // namespace trainyard::dispatch
