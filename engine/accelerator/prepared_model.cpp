// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <trainyard/device_placement.h>
#include <trainyard/prepared_model.h>

#include "accelerator/flat_module.h"
#include "accelerator/float8_modules.h"
#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/parallel_copy.h"
#include "distributed/parallel/module_start.h"
#include "models/nn/quantization/linear_kernels.h"
#include "train/loop/flat_gradients.h"

namespace trainyard::accelerator {

PreparedModel::PreparedModel(Parts parts, std::optional<parallel::DataParallelOptions> data_parallel,
                             const ModuleSharding& sharding)
    : parts_(std::move(parts)) {
    const bool trainable = std::any_of(parts_.parameters.begin(), parts_.parameters.end(),
                                       [](const auto& named) { return named.second.requires_grad(); });
    const bool trains = data_parallel.has_value() && trainable;
    find_divided_weights(parts_.gradients);
    if (parts_.gradients != nullptr || parts_.parameters.empty() ||
        (!is_distributed() && sharding.offload_folder.empty() && !sharding.state_on_disk))
        return;
    const bool is_fp32 = std::ranges::all_of(parts_.parameters, [](const auto& named) {
        return !named.second.defined() || named.second.scalar_type() == at::kFloat;
    });
    // Weights that the main process alone has read; its values arrive with those of the module.
    for (const NamedTensors* tensors : {&parts_.parameters, &parts_.buffers})
        if (trains || sharding.sharding.values)
            fill_empty(*tensors, parts_.device);
    if (sharding.sharding.any() && (trains || (sharding.sharding.values && is_fp32))) {
        ModuleSharding how = sharding;
        how.forward_only = !trains;
        flat_ = std::make_shared<FlatModule>(parts_.parameters, parts_.buffers, parts_.process->everyone(), how,
                                             data_parallel.value_or(parallel::DataParallelOptions()));
        if (trains)
            parts_.gradients = flat_.get();
        find_divided_weights(flat_.get());
    } else if (trains) {
        data_parallel_ = std::make_unique<parallel::DataParallel>(parts_.parameters, parts_.buffers,
                                                                  parts_.process->everyone(), *data_parallel);
    }
}

/// Where no rank has the weights whole: the store that has this rank's elements, under the model's names.
void PreparedModel::find_divided_weights(train::GradientStore* store) {
    auto* flat = dynamic_cast<train::FlatGradients*>(store);
    if (flat == nullptr || !flat->shares_values())
        return;
    divided_ = flat;
    std::map<std::string, const parallel::Parameter*, std::less<>> by_name;
    for (const parallel::FlatGroup& group : flat->arena().groups())
        for (const parallel::Parameter* parameter : group.parameters())
            by_name[parameter->name()] = parameter;
    for (const auto& [name, tensor] : parts_.parameters)
        if (const auto found = by_name.find(name); found != by_name.end())
            laid_out_[tensor.unsafeGetTensorImpl()] = found->second;
}

HeldElements PreparedModel::held(const at::Tensor& parameter) const {
    const parallel::Parameter& own = *laid_out_.at(parameter.unsafeGetTensorImpl());
    return {divided_->arena().held_of(own).begin, divided_->arena().held_value(own)};
}

NamedTensors PreparedModel::held_values() const {
    if (!divides_weights())
        return parts_.parameters;
    NamedTensors held;
    for (const auto& [name, tensor] : parallel::without_repetitions(parts_.parameters))
        held.emplace_back(name, this->held(tensor).values);
    return held;
}

parallel::Communicator* PreparedModel::copies() const {
    return divides_weights() ? divided_->copies() : nullptr;
}

std::map<const void*, at::Tensor> PreparedModel::whole_values(at::ScalarType type, bool trained_only) const {
    std::map<const parallel::Parameter*, const void*> tensor_of;
    for (const auto& [tensor, parameter] : laid_out_)
        tensor_of[parameter] = tensor;
    std::map<const void*, at::Tensor> whole;
    const bool keeps = parts_.process->is_main_process();
    const at::NoGradGuard no_grad;
    divided_->visit_values([&](const parallel::Parameter& parameter, const at::Tensor& value) {
        if (keeps && (parameter.trains() || !trained_only))
            whole[tensor_of.at(&parameter)] = value.to(at::TensorOptions().device(at::kCPU).dtype(type), false, true);
    });
    return whole;
}

NamedTensors PreparedModel::whole(NamedTensors held) const {
    if (!divides_weights())
        return held;
    const at::NoGradGuard no_grad;
    divided_->wait_for_readers();
    const NamedTensors own = held_values();
    std::vector<at::Tensor> present;
    for (std::size_t i = 0; i < own.size(); ++i) {  // gathering reads the model's own
        present.push_back(own[i].second.clone());
        own[i].second.copy_(held.at(i).second);
    }
    const std::map<const void*, at::Tensor> values = whole_values();
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i].second.copy_(present[i]);
    divided_->wait_for_readers();  // other ranks read these elements again
    if (!parts_.process->is_main_process())
        return {};
    NamedTensors whole;
    for (const auto& [name, tensor] : parts_.parameters)
        if (tensor.defined())
            whole.emplace_back(name, values.at(tensor.unsafeGetTensorImpl()));
    whole.insert(whole.end(), held.begin() + static_cast<std::ptrdiff_t>(own.size()), held.end());
    return whole;
}

void PreparedModel::before_forward() {
    if (data_parallel_ != nullptr)
        data_parallel_->before_forward();
    else if (flat_ != nullptr)
        flat_->before_forward();
}

void PreparedModel::after_forward() {
    if (flat_ != nullptr)
        flat_->after_forward();
}

std::shared_ptr<void> PreparedModel::kernel_scope() const {
    return float8_ != nullptr || !parts_.stored.empty() ? models::linear_kernel_scope() : nullptr;
}

void PreparedModel::finish_update() {
    if (float8_ != nullptr)
        float8_->update(parts_.process->everyone());
}

std::vector<at::Tensor> PreparedModel::parameter_tensors() const {
    std::vector<at::Tensor> tensors;
    tensors.reserve(parts_.parameters.size());
    for (const auto& [name, tensor] : parts_.parameters)
        tensors.push_back(tensor);
    return tensors;
}

NamedTensors PreparedModel::state_dict() const {
    std::map<const void*, at::Tensor> whole;
    if (divides_weights())
        whole = whole_values();
    return state_with(std::move(whole), std::nullopt, false);
}

NamedTensors PreparedModel::weights_to_save(bool adapter_only) const {
    if (!parts_.stored.empty() && !adapter_only)
        throw UserError(
            "the model has weights that are stored in another number format than they are computed in, which "
            "dispatch::save_quantized_model() writes: call it, or save what is trained alone (adapter_only)");
    std::map<const void*, at::Tensor> whole;
    if (divides_weights())
        whole = whole_values(saved_type_.value_or(at::kFloat), adapter_only);
    return state_with(std::move(whole), saved_type_, adapter_only);
}

NamedTensors PreparedModel::state_with(std::map<const void*, at::Tensor> values, std::optional<at::ScalarType> type,
                                       bool trained_only) const {
    if (divides_weights() && !parts_.process->is_main_process())
        return {};
    NamedTensors state;
    for (const auto& [name, tensor] : parts_.parameters) {
        if (!tensor.defined() || (trained_only && !tensor.requires_grad()))
            continue;
        at::Tensor& value = values[tensor.unsafeGetTensorImpl()];  // tied parameters stay tied
        if (!value.defined())
            value = type && tensor.is_floating_point() ? tensor.detach().to(*type) : tensor.detach();
        state.emplace_back(name, value);
    }
    for (const auto& [name, tensor] : parts_.buffers)
        if (tensor.defined() && !trained_only)
            state.emplace_back(name, tensor.detach());
    return state;
}

NamedTensors PreparedModel::targets() const {
    if (!divides_weights())
        return state_dict();
    NamedTensors targets;
    std::map<const void*, at::Tensor> shapes;
    for (const auto& [name, tensor] : parts_.parameters) {
        if (!tensor.defined())
            continue;
        at::Tensor& shape = shapes[tensor.unsafeGetTensorImpl()];
        if (!shape.defined())  // nothing writes to it, so that the system gives it no memory
            shape = at::empty(tensor.sizes(), tensor.options().device(at::kCPU));
        targets.emplace_back(name, shape);
    }
    for (const auto& [name, tensor] : parts_.buffers)
        if (tensor.defined())
            targets.emplace_back(name, tensor.detach());
    return targets;
}

void PreparedModel::check_stored(const NamedTensors& stored, const std::string& where, bool strict) const {
    checkpoint::check_model(stored, targets(), where, strict);
}

void PreparedModel::load_stored(const NamedTensors& stored, const std::string& where, bool strict) {
    const NamedTensors into = targets();
    if (!divides_weights()) {
        checkpoint::copy_model(stored, into, where, strict);
        return;
    }
    divided_->wait_for_readers();
    std::map<const void*, at::Tensor> parameter_of;
    for (const auto& [name, target] : into)
        for (const auto& [own, parameter] : parts_.parameters)
            if (own == name)
                parameter_of[target.unsafeGetTensorImpl()] = parameter;
    std::vector<checkpoint::TensorCopy> copies;
    for (const checkpoint::TensorCopy& copy : checkpoint::match_model(stored, into, where, strict)) {
        const auto parameter = parameter_of.find(copy.to.unsafeGetTensorImpl());
        if (parameter == parameter_of.end())
            copies.push_back(copy);
        else
            divided_->arena().set_value(*laid_out_.at(parameter->second.unsafeGetTensorImpl()), copy.from);
    }
    checkpoint::copy_tensors(copies);
    divided_->publish_values();
}

}  // namespace trainyard::accelerator
