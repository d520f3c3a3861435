// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trainer's checkpoint folders: checkpoint_<step>/ with
//   model.safetensors       weights under Hugging Face names; with config.json the folder loads in transformers. Of a
// pipeline a shard for
//                           each stage, model-00001-of-00002.safetensors, and model.safetensors.index.json
//   optimizer.bin           AdamW's state as torch.save has it: Accelerate's load_state takes the folder
//   average.safetensors     averages of the weights, where the trainer keeps some
//   trainer.bin             what else the trainer keeps (torch.save): loss scale, schedule, health;
// comm_hook_<rank>.bin: PowerSGD;
//                           local_moments_<rank>.bin: moments of each rank under Local SGD, in optimizer.bin are
// those of rank 0 Where several ranks hold optimizer state and averages (ZeRO, pipelines) each writes its own boxes
// of them, optimizer-1-of-2.safetensors and average-1-of-2.safetensors, with exp_avg.<name>, exp_avg_sq.<name>.
// Earlier versions wrote optimizer.safetensors, which loads, too.
//   position.json           step, samples and tokens consumed, seed: all that the data order and random numbers need
//   manifest.json           size and hash of every file, mesh, position (manifest.h); written last
// A folder appears completely or not at all: everything is written to a temporary folder, flushed and renamed. A save
// that is interrupted leaves earlier checkpoints unchanged. saver.h saves while training continues; accelerate_folder.h
// has the folders of Accelerate's save_state.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "checkpoint/logical_tensor.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

/// Progress of training.
struct Position {
    std::int64_t step = 0;     ///< optimizer updates done
    std::int64_t samples = 0;  ///< consumed by all ranks together
    std::int64_t tokens = 0;
    std::uint64_t seed = 0;
    std::int64_t training_blocks = 0;   ///< of the data set, to notice that another one is used
    double best_validation_loss = 0;    ///< 0: none yet
    std::int64_t samples_per_step = 0;  ///< of the last step, all ranks together; 0: not known
    std::int64_t batch_size = 0;        ///< of these in a micro-batch of a rank; 0: not known

    void fields(auto& field) const {
        field("step", step).required();
        field("samples", samples).required();
        field("tokens", tokens).required();
        field("seed", seed).required();
        field("training_blocks", training_blocks).required();
        field("best_validation_loss", best_validation_loss)("samples_per_step", samples_per_step);
        field("batch_size", batch_size);
    }
};

struct Content {
    std::vector<LogicalTensor> weights;
    std::vector<LogicalTensor> optimizer;  ///< exp_avg.<name>, exp_avg_sq.<name>
    std::vector<LogicalTensor> average;    ///< under the names of the weights; empty: none is kept
    /// Where this rank has all of it: the same as a dictionary of torch (optim/state_dict.h), which is saved instead.
    Tree optimizer_state;
    Position position;
    std::string config_json;
    std::string mesh;  ///< Mesh::describe()
    Tree trainer;      ///< what else the trainer keeps; None: nothing
};

struct Saved {
    fs::path folder;
    std::uint64_t bytes = 0;
};

/// The part of a checkpoint that one rank writes. No file is written for an empty list of a Content.
struct WriterShare {
    int rank = 0;                                 ///< 0 also writes position, configuration and index
    int weights = 0, weight_files = 1;            ///< index and number of the files of weights
    int state = 0, state_files = 1;               ///< the same for optimizer state and averages
    std::map<std::string, int> file_of_weight{};  ///< of all ranks, if there are several files
    std::uint64_t bytes_of_weights = 0;           ///< of all ranks, if there are several files
};

/// Returns a rank's files, for a saver. If there is only one file, its boxes must be whole tensors.
FilesToSave files_of(const Content& content, const WriterShare& share = {});
std::string to_json(const Position& position);

/// Writes `checkpoints`/checkpoint_<step> and waits until it is saved. Called by the rank that holds everything. Throws
/// UserError; then nothing has changed.
Saved save(const fs::path& checkpoints, const Content& content);

/// Removes all but the newest `keep` complete checkpoints (0: keeps all), and the files of interrupted saves.
void prune(const fs::path& checkpoints, std::int64_t keep);

/// Returns the complete checkpoints of a folder, oldest first.
std::vector<fs::path> list(const fs::path& checkpoints);

/// Returns the checkpoint that training continues from. If `path` is a checkpoint, ours or of save_state, it is
/// returned even if it is not good. If `path` is a `checkpoints` folder or a run folder, its newest checkpoint is
/// returned whose files match the manifest and whose numbers are finite. `notes` receives a message for every newer
/// checkpoint that is skipped, and one about the steps that are lost. Throws UserError when there is no such
/// checkpoint.
fs::path find(const fs::path& path, std::vector<Message>* notes = nullptr);

/// The rank that loads. Each rank reads the tensor files that contain some of its own tensors, and its share of the
/// other files, so that together the ranks verify all files.
struct Reader {
    int rank = 0, ranks = 1;
};

struct Loaded {
    Position position;
    std::vector<std::string> without_average;  ///< weights of Content::average without an average in the checkpoint
};

/// Fills the tensors of `content` by intersection of boxes. A file is read at most once: sizes, names and shapes are
/// checked before anything is written, hashes while the tensors are filled. Throws UserError naming every tensor that
/// is missing or of another shape, or the files that are damaged (on the ranks that read them); after damage the
/// tensors hold what was read.
Loaded load(const fs::path& folder, const Content& content, const Reader& reader = {});

/// Returns Content::trainer of a checkpoint that load() has verified, or None if it is missing.
Tree load_trainer(const fs::path& folder);

/// Weights alone, of all that formats/weights/weight_source.h opens; for starting from a pre-trained model. Throws
/// UserError naming every tensor that is missing or of another shape. Tensors in `may_lack` that are missing stay as
/// they are; their names are returned. `notes`: receives WeightSource::notes().
std::vector<std::string> load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights,
                                      const std::set<std::string>& may_lack = {},
                                      std::vector<Message>* notes = nullptr);

}  // namespace trainyard::checkpoint
