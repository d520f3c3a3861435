// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the parts of a model go when it is larger than one device: the sizes, the balanced limits and the device map that accelerate.utils.modeling
// computes (compute_module_sizes, get_balanced_memory, infer_auto_device_map). Works on a description of the model; no tensor is allocated.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "models/spec/module_tree.h"

namespace trainyard::estimate {

using families::Shape;

struct PartTensor {
    std::string name;
    Shape shape;
    std::string dtype;  ///< as torch names it: float32, bfloat16, int8, bool
};

struct ModelChild;

/// A module with its members in the order of their registration.
struct ModelPart {
    std::string type;  ///< its class
    std::vector<PartTensor> parameters;
    std::vector<PartTensor> buffers;
    std::vector<ModelChild> children;
};

struct ModelChild {
    std::string name;
    ModelPart module;
};

/// Bytes by name: numbers of devices as text ("0"), or mps, cpu, disk.
using DeviceMemory = std::map<std::string, double>;

struct PlacementOptions {
    std::set<std::string> no_split;    ///< classes that stay on one device
    std::optional<std::string> dtype;  ///< that floating-point weights are loaded as, where that is smaller
    std::map<std::string, std::string> special_dtypes;  ///< by a tensor's full name
    std::vector<std::vector<std::string>> tied;         ///< groups of parameters that share one tensor
};

/// Bytes of one element; 1/8 for bool. Throws UserError for a name without a size.
double element_bytes_of(const std::string& dtype);

/// Bytes of every module and tensor by its full name, in the order of the members; the whole model has the name "". A tied parameter counts once, where it is
/// met first.
std::vector<std::pair<std::string, double>> part_sizes(const ModelPart& model, const PlacementOptions& options);
/// Bytes of all buffers.
double buffer_bytes(const ModelPart& model, const PlacementOptions& options);
/// The greatest module that is not divided (without children, or of a class in no_split) below the model's own children, and all of that size.
std::pair<double, std::vector<std::string>> largest_part(const ModelPart& model, const PlacementOptions& options);
/// Groups of names of one tensor, sorted.
std::vector<std::vector<std::string>> tied_groups(const ModelPart& model, const PlacementOptions& options);

/// Limits that spread the model evenly over the accelerators, each with room for one more layer; the last keeps its limit. `low_zero`: device 0 gets what the
/// others cannot hold. Throws UserError for a device that is not known.
DeviceMemory balanced_memory(const ModelPart& model, const DeviceMemory& limits, const PlacementOptions& options,
                             bool low_zero = false);

struct DeviceMap {
    std::map<std::string, std::string> devices;  ///< by module or tensor; "" is the whole model
    std::vector<Message> warnings;
};

struct DeviceMapOptions : PlacementOptions {
    bool clean = true;             ///< modules whose parts are all on one device are named instead of these
    bool offload_buffers = false;  ///< buffers of offloaded layers are offloaded, too
    bool fallback = false;         ///< a device that would stay empty gets the first part that fits
};

/// Fills devices in the order 0, 1, ... mps, cpu, disk. The first accelerator and the CPU keep room for the largest part, which offloading moves there.
DeviceMap infer_device_map(const ModelPart& model, const DeviceMemory& limits, const DeviceMapOptions& options);

}  // namespace trainyard::estimate
