#pragma once
// The trainer's checkpoint folders: checkpoint_<step>/ with
//   model.safetensors       weights under Hugging Face names; with config.json the folder loads in transformers
//   optimizer.safetensors   exp_avg.<name>, exp_avg_sq.<name>; where ranks share it out optimizer-<rank>-of-<ranks>.safetensors: boxes of them
//   trainer.bin             what else the trainer keeps (torch.save): loss scale, schedule, averages, health; comm_hook_<rank>.bin: PowerSGD
//   position.json           step, samples and tokens consumed, seed: all that the data order and random numbers need
//   manifest.json           size and hash of every file, mesh, position (manifest.h); written last
// A folder appears whole or not at all: everything is written aside, flushed and renamed. A save that dies leaves the earlier ones
// as they were. saver.h saves while training goes on; accelerate_folder.h has the folders of Accelerate's save_state.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/files_to_save.h"
#include "checkpoint/logical_tensor.h"
#include "tensors/tree.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

/// Where training stands.
struct Position {
    std::int64_t step = 0;     ///< optimizer updates done
    std::int64_t samples = 0;  ///< consumed by all ranks together
    std::int64_t tokens = 0;
    std::uint64_t seed = 0;
    std::int64_t training_blocks = 0;   ///< of the data set, to notice that another one is used
    double best_validation_loss = 0;    ///< 0: none yet
    std::int64_t samples_per_step = 0;  ///< of the last step, all ranks together; 0: not known
};

struct Content {
    std::vector<LogicalTensor> weights;
    std::vector<LogicalTensor> optimizer;
    bool optimizer_is_elsewhere = false;  ///< in the files of the ranks (file_of_share)
    Position position;
    std::string config_json;
    std::string mesh;  ///< Mesh::describe()
    Tree trainer;      ///< what else the trainer keeps; None: nothing
};

struct Saved {
    fs::path folder;
    std::uint64_t bytes = 0;
};

/// The folder's files, for a saver. Boxes must be whole tensors.
FilesToSave files_of(const Content& content);
/// One rank's share of the optimizer state, in a file of its own.
FileToSave file_of_share(const std::vector<LogicalTensor>& boxes, int rank, int ranks);
std::string to_json(const Position& position);

/// Writes `checkpoints`/checkpoint_<step> and waits for it. Called by the rank that holds everything. Throws UserError; then nothing
/// has changed.
Saved save(const fs::path& checkpoints, const Content& content);

/// Removes all but the newest `keep` whole checkpoints (0: keeps all), and what interrupted saves left behind.
void prune(const fs::path& checkpoints, std::int64_t keep);

/// Whole checkpoints of a folder, oldest first.
std::vector<fs::path> list(const fs::path& checkpoints);

/// What training goes on from. `path` is a checkpoint, ours or of save_state: then that one, whatever it is worth. Or it is a `checkpoints`
/// folder or a run folder: then its newest checkpoint whose files are as its manifest says and whose numbers are finite. `notes`: a sentence
/// for every newer one that is passed over, and one on the steps that are lost by it. Throws UserError when there is none.
fs::path find(const fs::path& path, std::vector<std::string>* notes = nullptr);

/// Fills the tensors of `content` by intersection of boxes and returns the position. Every file is read once: sizes, names and shapes are
/// checked before anything is written, hashes while the tensors are filled. Throws UserError naming every tensor that is missing or of
/// another shape, or the files that are damaged; after damage the tensors hold what was read.
Position load(const fs::path& folder, const Content& content);

/// Content::trainer of a checkpoint; None when it has none. load() has verified it.
Tree load_trainer(const fs::path& folder);

/// Weights alone, from a safetensors or torch.save file, or a folder of either, in shards or not; for starting from a pre-trained
/// model.
void load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights);

}  // namespace trainyard::checkpoint
