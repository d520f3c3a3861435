// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files of a checkpoint on the disk.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/files/manifest.h"
#include "checkpoint/files_to_save.h"
#include "checkpoint/not_finite.h"
#include "formats/weights/safetensors.h"

namespace trainyard::checkpoint {

/// As a safetensors file wants them: contiguous on the CPU, a name for each piece of memory (the first; the others are in `dropped`, if
/// given). `keep` holds the memory of copies.
std::vector<weights::TensorToWrite> to_write(const NamedTensors& tensors, std::vector<at::Tensor>& keep,
                                             std::vector<std::string>* dropped = nullptr);

/// Writes one file, durably but for its name. `found`: what of its weights is not finite. Throws UserError.
FileRecord write_file(const std::filesystem::path& folder, const FileToSave& file, NotFinite* found = nullptr);

}  // namespace trainyard::checkpoint
