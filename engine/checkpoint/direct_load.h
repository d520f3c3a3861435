// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file of tensors read once: its bytes go to the tensors they are for while their hash is computed. It is of safetensors, with whole tensors
// or boxes of them, as one rank of several writes them, or the trainer's optimizer.bin.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/logical_tensor.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// Entries of a file for boxes, and the metadata that says which of which tensors they are. Empty boxes are left out.
NamedTensors entries_of_boxes(const std::vector<LogicalTensor>& boxes, std::map<std::string, std::string>& metadata);

class DirectLoad {
  public:
    /// Reads the header alone. Throws UserError when it is damaged.
    DirectLoad(std::filesystem::path file, const std::vector<LogicalTensor>& tensors);

    const std::filesystem::path& file() const { return file_; }
    /// How many elements of tensors[i] the file has.
    const std::vector<std::int64_t>& found() const { return found_; }
    /// Returns true if anything is to be read from the file.
    bool gives() const { return !ranges_.empty(); }
    bool knows(const std::string& name) const { return shapes_.contains(name); }
    /// Returns the stored shape of the tensor of that name if it differs, else nullopt.
    std::optional<std::vector<std::int64_t>> other_shape(const LogicalTensor& tensor) const;

    /// Fills the tensors. Returns a message if the file is not as recorded; the tensors then hold what was read.
    Message run(const FileRecord& record);

  private:
    static constexpr std::size_t kStraight = static_cast<std::size_t>(-1);
    struct Range {
        std::uint64_t begin = 0, end = 0;  ///< bytes of the file
        std::byte* to = nullptr;
        std::size_t detour = kStraight;  ///< else its number, and `to` is null
    };
    /// An entry with other dtypes or devices, or with non-contiguous pieces. It is read into a buffer, which exists
    /// while it is read alone, and copied.
    struct Detour {
        LogicalTensor stored;  ///< without memory
        at::ScalarType type;
        std::vector<LogicalTensor> wanted;
    };
    std::filesystem::path file_;
    std::map<std::string, std::vector<std::int64_t>> shapes_;  ///< by name
    std::vector<std::int64_t> found_;
    std::vector<Range> ranges_;  ///< in the order of the file
    std::vector<Detour> detours_;
};

}  // namespace trainyard::checkpoint
