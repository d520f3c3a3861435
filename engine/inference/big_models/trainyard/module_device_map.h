// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sizes and device maps of a user's torch module, by the names under which it registers modules and tensors
// (accelerate.utils.modeling). Only shapes and types are read, so the module may be empty
// (<trainyard/empty_weights.h>).

#include <string>
#include <utility>
#include <vector>

#include <torch/nn/module.h>

#include "distributed/tensors/tree.h"
#include "inference/dispatch/model_device_map.h"

namespace trainyard::dispatch {

/// The modules with their classes ("Linear"), parameters and buffers, in the order of registration.
estimate::ModelPart module_tree(const torch::nn::Module& module);
/// The same with `options`, and with the groups of parameters that are one tensor.
PlacedModel placed_model(const torch::nn::Module& module, const DeviceMapOptions& options = {});

/// Groups of names of parameters that are one tensor, sorted.
std::vector<std::vector<std::string>> find_tied_parameters(const torch::nn::Module& module);
/// Bytes of every module and tensor by name, the whole as ""; `options`: dtypes. A tied parameter counts once.
std::vector<std::pair<std::string, double>> compute_module_sizes(const torch::nn::Module& module,
                                                                 const DeviceMapOptions& options = {});
/// Bytes of all, and the largest module that is not divided with the names of all of that size.
std::pair<double, std::pair<double, std::vector<std::string>>> calculate_maximum_sizes(
    const torch::nn::Module& module, const DeviceMapOptions& options = {});
/// Limits that spread the module evenly over the accelerators of max_memory.
estimate::DeviceMemory get_balanced_memory(const torch::nn::Module& module, const DeviceMapOptions& options,
                                           bool low_zero = false);
/// Fills the devices in their order. Throws UserError.
InferredMap infer_auto_device_map(const torch::nn::Module& module, const DeviceMapOptions& options);
/// auto, balanced, balanced_low_0, sequential, one device, or a JSON file with a map. Throws UserError.
InferredMap resolve_device_map(const torch::nn::Module& module, const std::string& choice,
                               const DeviceMapOptions& options);
/// The map of one of the ranks of a machine, each with devices of its own: number d of `map` is number
/// d * local_ranks + local_rank of the machine, so the first is the device that the rank was started on. What is on cpu
/// or disk stays there. Throws UserError.
DeviceMap device_map_of_rank(const DeviceMap& map, int local_rank, int local_ranks);
/// Throws UserError naming the tensors that no entry covers, and invalid devices. Returns a message for each entry that
/// matches nothing in the module.
std::vector<Message> check_device_map(const torch::nn::Module& module, const DeviceMap& map);

}  // namespace trainyard::dispatch
