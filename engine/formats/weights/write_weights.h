// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes the weights of any source (weight_source.h, source_changes.h): safetensors in one file or in shards with an
// index, as transformers reads them, or a folder of torch.distributed.checkpoint for any number of ranks. It streams,
// so its memory is bounded by the largest tensor instead of the model. It writes to a temporary folder, reads it back,
// compares it with the source, and then renames it: a new folder as a whole, into one that exists the file that names
// the others last. Cancelled, on a full disk or killed at any time, the target stays unchanged. The next call to the
// same place removes the temporary files of a killed one.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "formats/weights/model_files.h"
#include "formats/weights/weight_source.h"

namespace trainyard::weights {

struct WriteOptions {
    std::filesystem::path output;  ///< folder, made if missing
    enum class Layout { safetensors, distributed } layout = Layout::safetensors;
    std::string stem = "model";          ///< of safetensors: of the files' names; PEFT: adapter_model
    std::uint64_t max_shard_bytes = 0;   ///< of safetensors; 0: one file
    int ranks = 1;                       ///< of distributed: files, cut by rows as FSDP2 does
    std::vector<ModelFile> beside = {};  ///< files copied into the folder: config.json, the tokenizer's
    /// Content for files of `beside` that are not copied as they are: a config.json with another dtype.
    std::map<std::string, std::string> contents = {};
    std::map<std::string, std::string> metadata = {{"format", "pt"}};  ///< of safetensors
    /// Files of another program instead of a layout.
    struct OtherFiles {
        std::uint64_t bytes = 0;  ///< of all tensors
        std::size_t tensors = 0;
        /// Writes them into a folder and reads them back. Returns their names.
        std::function<std::vector<std::string>(const std::filesystem::path& folder, Progress& progress)> write;
    };
    std::optional<OtherFiles> other = {};
};

struct WrittenWeights {
    std::vector<std::filesystem::path> files;
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;  ///< of all tensors
};

/// Throws UserError; then the output folder has not changed.
WrittenWeights write_weights(const WeightSource& source, const WriteOptions& options, Progress& progress);

/// Removes what killed writers left in a folder: folders `.merge-<pid>` that nobody holds.
void sweep_unfinished_writes(const std::filesystem::path& folder);

}  // namespace trainyard::weights
