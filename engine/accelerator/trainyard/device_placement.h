// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Modules on a PrivateUse1 device. torch::nn::Module::to() cannot put them there: set_data() takes the types of the tensors for incompatible
// (LibTorch 2.11).

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// Moves the tensors to `device`, a PrivateUse1 device, in place: every other handle of a tensor sees it there.
void move_to_private_device(const NamedTensors& tensors, at::Device device);

}  // namespace trainyard::accelerator
