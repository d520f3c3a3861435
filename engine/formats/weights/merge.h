// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard merge-weights`: weights of any source as safetensors, in one file or in shards with an index
// (formats/weights/write_weights.h). Accelerate's counterpart
// reads the whole model into memory. The source is removed after the result was checked, if requested.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "formats/weights/write_weights.h"

namespace trainyard::weights {

struct MergeOptions {
    std::filesystem::path checkpoint;   ///< folder
    std::filesystem::path output;       ///< folder, created if missing
    std::uint64_t max_shard_bytes = 0;  ///< 0: one file
    bool remove_checkpoint = false;
    /// Called with the weights before they are written; its sentences join the notes.
    std::function<std::vector<Message>(const WeightSource&)> look = {};
};

struct MergeResult {
    std::string source;                        ///< WeightSource::kind()
    std::vector<Message> notes;                ///< WeightSource::notes()
    std::vector<std::filesystem::path> files;  ///< written files
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;  ///< of all tensors
    bool removed = false;     ///< the checkpoint was removed
};

/// Throws UserError; then the output folder has not changed.
MergeResult merge_weights(const MergeOptions& options, Progress& progress);
MergeResult merge_weights(const MergeOptions& options);

/// Throws UserError if the result cannot be put there: a file, the checkpoint itself, or a folder that would be
/// removed with it.
void check_target(const std::filesystem::path& checkpoint, const std::filesystem::path& output, bool remove_checkpoint);

/// "5GB", "500 MiB", "123456" as bytes. Throws UserError.
std::uint64_t parse_size(const std::string& text);

}  // namespace trainyard::weights
