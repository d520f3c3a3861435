// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders of offloaded weights as Accelerate writes and reads them (utils/offload.py): `<name>.dat` with the row-major
// bytes of each tensor, and index.json with {name: {"dtype": "float32", "shape": [..]}}. An entry may instead point
// into a safetensors file: {"safetensors_file", "weight_name", "dtype"}. A scalar is stored as one element with the
// shape [].

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/weights/safetensors.h"
#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// Whether the folder has an index.json of offloaded weights.
bool is_offload_folder(const std::filesystem::path& folder);

/// Throws UserError naming the entry, and files that are missing or have another size than their entry says.
std::unique_ptr<WeightSource> open_offload_folder(const std::filesystem::path& folder);

class OffloadWriter {
  public:
    /// Makes the folder. Throws UserError.
    explicit OffloadWriter(std::filesystem::path folder);
    /// Writes `<name>.dat`, which replaces an earlier one; `stream` passes the bytes to the sink in pieces. Throws UserError.
    FilePiece write(const std::string& name, const std::string& safetensors_dtype,
                    const std::vector<std::int64_t>& shape, const std::function<void(const ByteSink&)>& stream);
    /// Adds what was written to index.json, which keeps its other entries.
    void finish();

  private:
    struct Entry {
        std::string name, dtype;
        std::vector<std::int64_t> shape;
    };
    std::filesystem::path folder_;
    std::vector<Entry> written_;
};

}  // namespace trainyard::weights
