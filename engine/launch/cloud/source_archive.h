// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of a training script as a compressed tar archive, for a machine that gets nothing else.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::cloud {

struct SourceArchive {
    std::string bytes;               ///< .tar.gz
    std::vector<std::string> files;  ///< relative names, sorted
};

/// All regular files below `folder`, with names relative to it, but hidden ones, __pycache__, and `left_out`
/// (canonical paths).
/// Throws UserError if a file cannot be read or all are above `most` bytes.
SourceArchive pack_sources(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& left_out,
                           std::uint64_t most = 512u << 20);

}  // namespace trainyard::cloud
