#pragma once
// Checkpoint folders: checkpoint_<step>/ with
//   model.safetensors       weights under Hugging Face names; with config.json the folder loads in transformers
//   optimizer.safetensors   exp_avg.<name>, exp_avg_sq.<name>
//   position.json           step, samples and tokens consumed, seed: all that the data order and random numbers need
//   manifest.json           size and CRC-32C of every file, mesh, position; written last
// A folder appears whole or not at all: everything is written aside, flushed and renamed. A save that dies leaves the earlier ones
// as they were.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/logical_tensor.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

/// Where training stands.
struct Position {
    std::int64_t step = 0;     ///< optimizer updates done
    std::int64_t samples = 0;  ///< consumed by all ranks together
    std::int64_t tokens = 0;
    std::uint64_t seed = 0;
    std::int64_t training_blocks = 0;  ///< of the data set, to notice that another one is used
    double best_validation_loss = 0;   ///< 0: none yet
};

struct Content {
    std::vector<LogicalTensor> weights;
    std::vector<LogicalTensor> optimizer;
    Position position;
    std::string config_json;
    std::string mesh;  ///< Mesh::describe()
};

struct Saved {
    fs::path folder;
    std::uint64_t bytes = 0;
};

/// Writes `checkpoints`/checkpoint_<step>. Called by the rank that holds everything. Throws UserError; then nothing has changed.
Saved save(const fs::path& checkpoints, const Content& content);

/// Removes all but the newest `keep` whole checkpoints (0: keeps all), and what interrupted saves left behind.
void prune(const fs::path& checkpoints, std::int64_t keep);

/// Whole checkpoints of a folder, oldest first.
std::vector<fs::path> list(const fs::path& checkpoints);

/// `path` is a checkpoint, a `checkpoints` folder or a run folder: the newest whole checkpoint. Throws UserError when there is none.
fs::path find(const fs::path& path);

/// Checks the manifest (sizes and checksums), then fills the tensors of `content` by intersection of boxes and returns the position.
/// Throws UserError naming the file, or every tensor that is missing or of another shape.
Position load(const fs::path& folder, const Content& content);

/// Weights alone, from a safetensors file or a folder with model.safetensors; for starting from a pre-trained model.
void load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights);

}  // namespace trainyard::checkpoint
