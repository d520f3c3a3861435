// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Device maps as Accelerate's hf_device_map has them: which part of a model lies where. inference/dispatch/model_device_map.h makes them, and checks them against a model.

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::config {

/// Device by module or tensor: numbers of accelerators, cpu, disk; "" is the whole model.
using DeviceMap = std::map<std::string, std::string>;

/// Throws UserError for a file that holds no map.
DeviceMap read_device_map(const std::filesystem::path& file);

/// The entry with the longest name that `name` begins with, or the end.
DeviceMap::const_iterator place_in(const DeviceMap& map, std::string name);

/// Whether model.device_map is a file, and not a word (auto, disk).
inline bool is_device_map_file(const std::string& device_map) {
    return device_map.find('/') != std::string::npos;
}

}  // namespace trainyard::config
