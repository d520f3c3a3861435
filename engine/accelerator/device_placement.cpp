// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>

#include <trainyard/device_placement.h>

namespace trainyard::accelerator {

void replace_data(const at::Tensor& tensor, const at::Tensor& data) {
    c10::TensorImpl* kept = tensor.unsafeGetTensorImpl();
    kept->set_storage_keep_dtype(data.storage());
    kept->_change_backend_component_keys(data.device());
    kept->set_sizes_and_strides(data.sizes(), data.strides(), data.storage_offset());
}

bool has_empty(const NamedTensors& tensors) {
    return std::ranges::any_of(tensors,
                               [](const auto& named) { return named.second.defined() && named.second.is_meta(); });
}

void forget_data(const NamedTensors& tensors) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors)
        if (tensor.defined())
            replace_data(tensor, at::empty_strided(tensor.sizes(), tensor.strides(),
                                                   at::TensorOptions().dtype(tensor.dtype()).device(at::kMeta)));
}

void fill_empty(const NamedTensors& tensors, at::Device device) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors)
        if (tensor.defined() && tensor.is_meta())
            replace_data(tensor, at::empty_strided(tensor.sizes(), tensor.strides(),
                                                   at::TensorOptions().dtype(tensor.dtype()).device(device)));
}

void move_to_private_device(const NamedTensors& tensors, at::Device device) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors)
        if (tensor.defined() && tensor.device() != device)
            replace_data(tensor, tensor.detach().to(device));
}

}  // namespace trainyard::accelerator
