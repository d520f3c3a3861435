#pragma once
// `trainyard merge-weights`: weights of any source as safetensors, in one file or in shards with an index. It streams,
// so its memory is bounded by the largest tensor instead of the model; Accelerate's counterpart reads the whole model.
// The result is written to a temporary name, read back, compared with the source, and then renamed; the source is
// removed after that, if requested.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::weights {

struct MergeOptions {
    std::filesystem::path checkpoint;   ///< folder
    std::filesystem::path output;       ///< folder, created if missing
    std::uint64_t max_shard_bytes = 0;  ///< 0: one file
    bool remove_checkpoint = false;
};

struct MergeResult {
    std::string source;                        ///< WeightSource::kind()
    std::vector<std::filesystem::path> files;  ///< written files
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;  ///< of all tensors
    bool removed = false;     ///< the checkpoint was removed
};

/// Throws UserError; then the output folder has not changed.
MergeResult merge_weights(const MergeOptions& options);

/// "5GB", "500 MiB", "123456" as bytes. Throws UserError.
std::uint64_t parse_size(const std::string& text);

}  // namespace trainyard::weights
