// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to contents.h: what each kind of file contributes.

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "formats/weights/weight_index.h"
#include "observe/inspect/contents.h"
#include "observe/inspect/natural_order.h"

namespace trainyard::inspect {

/// Of one file, or of a folder that belongs together. Ranges count files from `files` here; the caller moves them.
struct Part {
    std::vector<File> files;
    std::vector<Tensor> tensors;
    std::vector<Value> values;
    std::vector<Message> problems;
    Message format;
    std::optional<weights::WeightIndex> index;  ///< of shards: the file of each tensor
    std::string prefix;                         ///< of the names of its tensors
    SortedTensors sorted;                       ///< of its tensors
};

/// `name` is relative to `root`; names of tensors begin with `prefix`. They throw UserError for what cannot be read.
void read_safetensors_part(const fs::path& root, const std::string& name, Section section, const std::string& prefix,
                           Part& part);
void read_torch_part(const fs::path& root, const std::string& name, Section section, const std::string& prefix,
                     Part& part);
void read_gguf_part(const fs::path& root, const std::string& name, Part& part);
void read_json_part(const fs::path& root, const std::string& name, Part& part);
/// Of folders: `folder` is relative, empty for the root itself.
void read_dcp_part(const fs::path& root, const std::string& folder, Section section, Part& part);
void read_zero_part(const fs::path& root, const std::string& folder, Part& part);

/// Adds the leaves of a JSON text below `key`, at most a few hundred. Anything else is one value.
void add_json_values(const std::string& key, const std::string& json, std::vector<Value>& values);

/// Returns the size of a regular file (or of the target of a link to one), or 0 for anything else.
std::uint64_t size_of_file(const fs::path& path);

}  // namespace trainyard::inspect
