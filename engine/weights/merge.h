#pragma once
// `trainyard merge-weights`: weights of any source as safetensors, in one file or in several with an index. Streams: the memory it
// needs is bounded by the largest tensor, not by the model. The result is written aside, read back and compared with what the source
// gave, and only then takes its place; the source is removed after that. Accelerate's counterpart reads the whole model.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::weights {

struct MergeOptions {
    std::filesystem::path checkpoint;   ///< folder
    std::filesystem::path output;       ///< folder, made when absent
    std::uint64_t max_shard_bytes = 0;  ///< 0: one file
    bool remove_checkpoint = false;
};

struct MergeResult {
    std::string source;                        ///< WeightSource::kind()
    std::vector<std::filesystem::path> files;  ///< what was written
    std::size_t tensors = 0;
    std::uint64_t bytes = 0;  ///< of tensors
    bool removed = false;     ///< the checkpoint is gone
};

/// Throws UserError; then the output folder is as it was.
MergeResult merge_weights(const MergeOptions& options);

/// "5GB", "500 MiB", "123456" -> bytes. Throws UserError.
std::uint64_t parse_size(const std::string& text);

}  // namespace trainyard::weights
