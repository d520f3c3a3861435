// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <ATen/ops/empty.h>

#include <trainyard/prepared_model.h>

#include "accelerator/flat_module.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/parallel_copy.h"

namespace trainyard::accelerator {

PreparedModel::PreparedModel(Parts parts, std::optional<parallel::DataParallelOptions> data_parallel,
                             const ModuleSharding& sharding)
    : parts_(std::move(parts)) {
    const bool trainable = std::any_of(parts_.parameters.begin(), parts_.parameters.end(),
                                       [](const auto& named) { return named.second.requires_grad(); });
    if (!data_parallel || !trainable || !is_distributed())
        return;
    if (sharding.sharding.any()) {
        flat_ = std::make_shared<FlatModule>(parts_.parameters, parts_.buffers, parts_.process->everyone(), sharding,
                                             *data_parallel);
        parts_.gradients = flat_.get();
    } else {
        data_parallel_ = std::make_unique<parallel::DataParallel>(parts_.parameters, parts_.buffers,
                                                                  parts_.process->everyone(), *data_parallel);
    }
}

bool PreparedModel::divides_weights() const {
    return flat_ != nullptr && flat_->shares_values();
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

std::vector<at::Tensor> PreparedModel::parameter_tensors() const {
    std::vector<at::Tensor> tensors;
    tensors.reserve(parts_.parameters.size());
    for (const auto& [name, tensor] : parts_.parameters)
        tensors.push_back(tensor);
    return tensors;
}

NamedTensors PreparedModel::state_dict() const {
    std::map<const void*, at::Tensor> whole;
    if (divides_weights()) {
        const bool keeps = parts_.process->is_main_process();
        whole = flat_->whole_values(keeps);
        if (!keeps)
            return {};
    }
    NamedTensors state;
    for (const NamedTensors* part : {&parts_.parameters, &parts_.buffers})
        for (const auto& [name, tensor] : *part)
            if (tensor.defined()) {
                const auto found = whole.find(tensor.unsafeGetTensorImpl());
                state.emplace_back(name, found != whole.end() ? found->second : tensor.detach());
            }
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

void PreparedModel::check_stored(const NamedTensors& stored, const std::string& where) const {
    checkpoint::check_model(stored, targets(), where);
}

void PreparedModel::load_stored(const NamedTensors& stored, const std::string& where) {
    const NamedTensors into = targets();
    if (!divides_weights()) {
        checkpoint::copy_model(stored, into, where);
        return;
    }
    std::map<const void*, at::Tensor> parameter_of;
    for (const auto& [name, target] : into)
        for (const auto& [own, parameter] : parts_.parameters)
            if (own == name)
                parameter_of[target.unsafeGetTensorImpl()] = parameter;
    std::vector<checkpoint::TensorCopy> copies;
    for (const checkpoint::TensorCopy& copy : checkpoint::match_model(stored, into, where)) {
        const auto parameter = parameter_of.find(copy.to.unsafeGetTensorImpl());
        if (parameter == parameter_of.end())
            copies.push_back(copy);
        else
            flat_->set_value(parameter->second, copy.from);
    }
    checkpoint::copy_tensors(copies);
}

}  // namespace trainyard::accelerator
