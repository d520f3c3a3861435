// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/grad_mode.h>

#include <trainyard/device_placement.h>

namespace trainyard::accelerator {

void replace_data(const at::Tensor& tensor, const at::Tensor& data) {
    c10::TensorImpl* kept = tensor.unsafeGetTensorImpl();
    kept->set_storage_keep_dtype(data.storage());
    kept->_change_backend_component_keys(data.device());
    kept->set_sizes_and_strides(data.sizes(), data.strides(), data.storage_offset());
}

void move_to_private_device(const NamedTensors& tensors, at::Device device) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors)
        if (tensor.defined() && tensor.device() != device)
            replace_data(tensor, tensor.detach().to(device));
}

}  // namespace trainyard::accelerator
