#include "accelerator/prepared_model.h"

#include <algorithm>

namespace trainyard::accelerator {

PreparedModel::PreparedModel(Parts parts, std::optional<parallel::DataParallelOptions> data_parallel)
    : parts_(std::move(parts)) {
    const bool trainable = std::any_of(parts_.parameters.begin(), parts_.parameters.end(),
                                       [](const auto& named) { return named.second.requires_grad(); });
    if (data_parallel && trainable && parts_.gradients == nullptr && parts_.process->use_distributed())
        data_parallel_ = std::make_unique<parallel::DataParallel>(parts_.parameters, parts_.buffers,
                                                                  parts_.process->everyone(), *data_parallel);
}

std::vector<at::Tensor> PreparedModel::parameter_tensors() const {
    std::vector<at::Tensor> tensors;
    tensors.reserve(parts_.parameters.size());
    for (const auto& [name, tensor] : parts_.parameters)
        tensors.push_back(tensor);
    return tensors;
}

NamedTensors PreparedModel::state_dict() const {
    NamedTensors state;
    for (const NamedTensors* part : {&parts_.parameters, &parts_.buffers})
        for (const auto& [name, tensor] : *part)
            if (tensor.defined())
                state.emplace_back(name, tensor.detach());
    return state;
}

}  // namespace trainyard::accelerator
