// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/stored_weights.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "models/spec/family.h"

namespace trainyard::dispatch {

std::vector<std::int64_t> ModelTensor::shape() const {
    return parameter != nullptr ? parameter->shape() : buffer->value.sizes().vec();
}

std::string ModelTensor::module_name() const {
    return families::module_name(name);
}

bool ModelTensor::is_adapter() const {
    return name.find(".lora_") != std::string::npos;
}

void ModelTensor::place(const at::Tensor& value, const at::Tensor& compute) const {
    if (parameter != nullptr)
        parameter->place(value, compute);
    else
        buffer->value =
            value.defined() ? value : at::empty(buffer->value.sizes(), buffer->value.options().device(at::kMeta));
}

std::vector<ModelTensor> tensors_of(const models::Model& model) {
    std::vector<ModelTensor> all;
    for (parallel::Unit* unit : model.units()) {
        for (parallel::Parameter* parameter : unit->parameters())
            all.push_back({parameter->name(), unit, parameter, nullptr});
        for (const auto& buffer : unit->buffers())
            all.push_back({buffer->name, unit, nullptr, buffer.get()});
    }
    return all;
}

std::pair<at::Tensor, at::Tensor> values_for(const ModelTensor& target, const at::Tensor& stored, at::ScalarType type,
                                             at::Device device, bool copy) {
    at::NoGradGuard no_grad;
    if (target.buffer != nullptr) {
        const at::Tensor value = stored.to(device, target.buffer->value.scalar_type(), false, copy);
        return {value, value};
    }
    if (stored.dim() >= 2) {
        const at::Tensor value = stored.to(device, type, false, copy);
        return {value, value};
    }
    const at::Tensor value = stored.to(device, at::kFloat, false, copy);
    return {value, value.to(type)};
}

bool is_empty(const models::Model& model) {
    return std::ranges::all_of(tensors_of(model), [](const ModelTensor& tensor) {
        return tensor.parameter != nullptr ? !tensor.parameter->value().defined() || tensor.parameter->value().is_meta()
                                           : tensor.buffer->value.is_meta();
    });
}

void init_empty_weights(const models::Model& model) {
    for (const ModelTensor& tensor : tensors_of(model))
        tensor.place({}, {});
}

}  // namespace trainyard::dispatch
