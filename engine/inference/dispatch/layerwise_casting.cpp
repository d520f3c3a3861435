// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/layerwise_casting.h"

#include <algorithm>
#include <regex>

#include <ATen/core/grad_mode.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"

namespace trainyard::dispatch {

namespace {

bool is_of_cast_module(const parallel::Parameter& weight) {
    return weight.product() != parallel::Parameter::Product::none || weight.shape().size() == 4;
}

}  // namespace

bool is_cast_layerwise(const ModelTensor& tensor) {
    if (tensor.parameter == nullptr || tensor.is_adapter())
        return false;
    if (is_of_cast_module(*tensor.parameter))
        return true;
    constexpr std::string_view kBias = ".bias";
    if (!tensor.name.ends_with(kBias))
        return false;
    const std::string weight = tensor.name.substr(0, tensor.name.size() - kBias.size()) + ".weight";
    return std::ranges::any_of(tensor.unit->parameters(), [&](const parallel::Parameter* other) {
        return other->name() == weight && is_of_cast_module(*other);
    });
}

void check_casting(at::ScalarType storage, at::ScalarType compute) {
    for (const at::ScalarType type : {storage, compute})
        if (!at::isFloatingType(type))
            throw UserError("layerwise casting stores and computes floating-point numbers, not {}", dtype_name(type));
}

std::vector<std::regex> skip_patterns(const std::vector<std::string>& patterns) {
    std::vector<std::regex> skipped;
    for (const std::string& pattern : patterns)
        try {
            skipped.emplace_back(pattern);
        } catch (const std::regex_error&) {
            throw UserError("skip_modules_pattern: '{}' is not a regular expression", pattern);
        }
    return skipped;
}

bool is_spared(const std::string& tensor, const std::vector<std::regex>& patterns) {
    for (std::size_t end = tensor.rfind('.'); end != std::string::npos && end > 0; end = tensor.rfind('.', end - 1)) {
        const std::string module = tensor.substr(0, end);
        if (std::ranges::any_of(patterns,
                                [&](const std::regex& pattern) { return std::regex_search(module, pattern); }))
            return true;
    }
    return false;
}

std::unique_ptr<Dispatched> attach_layerwise_casting_hooks(const models::Model& model,
                                                           const LayerwiseCasting& casting) {
    at::NoGradGuard no_grad;
    check_casting(casting.storage_dtype, casting.compute_dtype);
    const std::vector<std::regex> skipped = skip_patterns(casting.skip_modules_pattern);
    std::vector<UnitWeights> units;
    for (parallel::Unit* unit : model.units()) {
        UnitWeights weights;
        weights.device =
            unit->parameters().empty() ? c10::Device(at::kCPU) : unit->parameters().front()->value().device();
        for (parallel::Parameter* parameter : unit->parameters()) {
            const ModelTensor tensor{parameter->name(), unit, parameter, nullptr};
            if (!parameter->value().defined() || parameter->value().is_meta())
                throw UserError("{} has no value yet: load a checkpoint before its weights are cast", tensor.name);
            if (!is_cast_layerwise(tensor) || is_spared(tensor.name, skipped)) {
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
