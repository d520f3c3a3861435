#include <algorithm>

#include <trainyard/prepared_model.h>

#include "accelerator/flat_module.h"

namespace trainyard::accelerator {

PreparedModel::PreparedModel(Parts parts, std::optional<parallel::DataParallelOptions> data_parallel,
                             const parallel::Sharding& sharding)
    : parts_(std::move(parts)) {
    const bool trainable = std::any_of(parts_.parameters.begin(), parts_.parameters.end(),
                                       [](const auto& named) { return named.second.requires_grad(); });
    if (!data_parallel || !trainable || !is_distributed())
        return;
    if (sharding.any()) {
        flat_ = std::make_shared<FlatModule>(parts_.parameters, parts_.buffers, parts_.process->everyone(), sharding,
                                             *data_parallel);
        parts_.gradients = flat_.get();
    } else {
        data_parallel_ = std::make_unique<parallel::DataParallel>(parts_.parameters, parts_.buffers,
                                                                  parts_.process->everyone(), *data_parallel);
    }
}

void PreparedModel::before_forward() {
    if (data_parallel_ != nullptr)
        data_parallel_->before_forward();
    else if (flat_ != nullptr)
        flat_->before_forward();
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
