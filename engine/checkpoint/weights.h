#pragma once
// Weights by name out of any file that Accelerate, transformers or torch write them to.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "tensors/tree.h"

namespace trainyard::checkpoint {

/// A .safetensors file or one of torch.save that holds a dictionary of tensors. Tensors are views of the mapped file. Throws UserError.
NamedTensors read_weights_file(const std::filesystem::path& file, bool trusted = false);

/// Model number `index` of a folder: model.safetensors, its shards, pytorch_model.bin, its shards, pytorch_model_fsdp_0 (a distributed
/// checkpoint), for index 1 model_1.safetensors and so on. Nothing when there is none.
std::optional<NamedTensors> read_model(const std::filesystem::path& folder, std::size_t index, bool trusted = false);

/// The type of a tensor of a safetensors file. Throws UserError naming `where` when torch does not know it.
at::ScalarType stored_type(const std::string& safetensors_dtype, const std::string& where);

/// "model", "_1", ".safetensors" is "model_1.safetensors"; number 0 has no number.
std::string numbered(const std::string& name, std::size_t index, const std::string& ending);

}  // namespace trainyard::checkpoint
