#pragma once
// Reads model.safetensors.index.json and pytorch_model.bin.index.json: which file of a folder contains which tensor.

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::weights {

/// File by tensor name. File names must be plain names inside the folder. `total_size` is a hint and is ignored. Throws
/// UserError.
std::map<std::string, std::string> read_weight_index(const std::filesystem::path& index);

}  // namespace trainyard::weights
