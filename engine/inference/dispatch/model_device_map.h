// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Assigns the parts of a model to devices (infer_auto_device_map, check_device_map and get_max_memory of
// accelerate.utils.modeling). Devices are named as in Accelerate's maps: numbers of accelerators, cpu, disk; also with
// their kind, cuda:1.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/device_places.h"
#include "estimate/device_map.h"
#include "inference/dispatch/stored_weights.h"
#include "models/nn/model.h"

namespace trainyard::dispatch {

using config::DeviceMap;
using config::read_device_map;

struct DeviceMapOptions {
    std::map<std::string, std::string> max_memory = {};  ///< by device: "10GiB", "200MB" or bytes; empty: what is free
    std::set<std::string> no_split_module_classes = {};  ///< besides the blocks of the model, which one device computes
    std::optional<std::string> dtype = {};               ///< that weights are loaded as; nothing: their own
    std::map<std::string, std::string> special_dtypes = {};  ///< of tensors, by their whole names
    bool offload_buffers = false;
    bool clean_result = true;
    bool fallback_allocation = false;
    std::string accelerator = "cuda";  ///< kind of the devices that have numbers alone
};

struct InferredMap {
    DeviceMap map;
    std::vector<Message> warnings;
};

/// The modules of a model with their classes in transformers, the buffers that transformers computes included.
estimate::ModelPart module_tree(const models::Model& model);
/// The same with what belongs to it: classes that stay on one device, tied parameters.
estimate::PlacementOptions placement_options(const models::Model& model, const DeviceMapOptions& options);

/// The input of an inferred device map.
struct PlacedModel {
    estimate::ModelPart tree;
    estimate::PlacementOptions placement;
};

/// Bytes by device: the given limits, or the free memory of this machine's accelerators and processor. Throws UserError
/// for an invalid size or device.
estimate::DeviceMemory get_max_memory(const std::map<std::string, std::string>& given, const std::string& accelerator);

/// Fills the devices in their order (sequential). Throws UserError.
InferredMap infer_auto_device_map(const models::Model& model, const DeviceMapOptions& options);
InferredMap infer_auto_device_map(const PlacedModel& model, const DeviceMapOptions& options);

/// `choice`: auto and balanced (the limits of accelerators are balanced first), balanced_low_0, sequential, one device for the whole model, or a JSON file with
/// a map as Accelerate's hf_device_map. Throws UserError.
InferredMap resolve_device_map(const models::Model& model, const std::string& choice, const DeviceMapOptions& options);

/// The same but for a check of a given map.
InferredMap resolve_device_map(const PlacedModel& model, const std::string& choice, const DeviceMapOptions& options);

/// Throws UserError naming the tensors that no entry covers, and invalid devices. Returns a message for each entry that
/// matches nothing in the model.
std::vector<Message> check_device_map(const models::Model& model, const DeviceMap& map);

/// The same for tensors with these names, each with all that a map may use. `modules`: the names of modules, for
/// messages.
std::vector<Message> check_device_map(const DeviceMap& map, const std::vector<std::vector<std::string>>& tensors,
                                      const std::function<estimate::ModelPart()>& modules);

/// Returns the device of a tensor: that of the entry with the longest name that its name begins with, in transformers 5
/// or in files; empty: none.
std::string place_of(const ModelTensor& tensor, const DeviceMap& map);

/// cpu, disk, or a device: "1" is number 1 of the kind `accelerator`. Throws UserError.
c10::Device device_of(const std::string& place, const std::string& accelerator);
bool is_disk(const std::string& place);

/// Loads the libraries of all accelerators of a map (distributed/parallel/load_device.h). Throws UserError.
void load_devices(const DeviceMap& map, const std::string& accelerator, const std::string& library);

}  // namespace trainyard::dispatch
