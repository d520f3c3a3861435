// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensors of modules on other devices, in place. torch::nn::Module::to() cannot put them on a PrivateUse1 device or on
// meta: set_data() takes the types of the tensors for incompatible (LibTorch 2.11).

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// Gives a tensor the shape, the device and the memory of `data`, which has its dtype, in place: every other handle of
/// the tensor sees them.
void replace_data(const at::Tensor& tensor, const at::Tensor& data);

/// Whether a tensor has no memory (meta).
bool has_empty(const NamedTensors& tensors);
/// Releases the memory of the tensors, in place: they have their shapes and dtypes alone (meta).
void forget_data(const NamedTensors& tensors);
/// Gives those without memory some on `device`, in place. Their values are unspecified.
void fill_empty(const NamedTensors& tensors, at::Device device);

/// Moves the tensors to `device`, a PrivateUse1 device, in place: every other handle of a tensor sees it there.
void move_to_private_device(const NamedTensors& tensors, at::Device device);

}  // namespace trainyard::accelerator
