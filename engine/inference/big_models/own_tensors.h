// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors of a user's own module by their places in a device map.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include "inference/dispatch/model_device_map.h"

namespace trainyard::dispatch {

/// A tensor of a module under all its names.
struct OwnTensor {
    std::vector<std::string> names;
    at::Tensor tensor;
    bool is_buffer = false;

    /// Empty: the map does not have it.
    std::string place(const DeviceMap& map) const;
};

/// Parameters and buffers in the order of registration, without weights that are stored in another number format than
/// they are computed in (<trainyard/quantized_modules.h>).
std::vector<OwnTensor> own_tensors(const torch::nn::Module& module);
/// Those alone.
std::vector<OwnTensor> stored_tensors(const torch::nn::Module& module);

}  // namespace trainyard::dispatch
