// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/grad_mode.h>

#include <trainyard/device_placement.h>

namespace trainyard::accelerator {

void move_to_private_device(const NamedTensors& tensors, at::Device device) {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors) {
        if (!tensor.defined() || tensor.device() == device)
            continue;
        const at::Tensor moved = tensor.detach().to(device);
        c10::TensorImpl* kept = tensor.unsafeGetTensorImpl();
        kept->set_storage_keep_dtype(moved.storage());
        kept->_change_backend_component_keys(device);
        kept->set_sizes_and_strides(moved.sizes(), moved.strides(), moved.storage_offset());
    }
}

}  // namespace trainyard::accelerator
