#pragma once
// The trainer's checkpoint folders: checkpoint_<step>/ with
//   model.safetensors       weights under Hugging Face names; with config.json the folder loads in transformers. Of a pipeline a shard for
//                           each stage, model-00001-of-00002.safetensors, and model.safetensors.index.json
//   optimizer.bin           AdamW's state as torch.save has it: Accelerate's load_state takes the folder
//   average.safetensors     averages of the weights, where the trainer keeps some
//   trainer.bin             what else the trainer keeps (torch.save): loss scale, schedule, health; comm_hook_<rank>.bin: PowerSGD;
//                           local_moments_<rank>.bin: moments of each rank under Local SGD, in optimizer.bin are those of rank 0
// Where several ranks hold optimizer state and averages (ZeRO, pipelines) each writes its own boxes of them, optimizer-1-of-2.safetensors and
// average-1-of-2.safetensors, with exp_avg.<name>, exp_avg_sq.<name>. Earlier versions wrote optimizer.safetensors, which loads, too.
//   position.json           step, samples and tokens consumed, seed: all that the data order and random numbers need
//   manifest.json           size and hash of every file, mesh, position (manifest.h); written last
// A folder appears whole or not at all: everything is written aside, flushed and renamed. A save that dies leaves the earlier ones
// as they were. saver.h saves while training goes on; accelerate_folder.h has the folders of Accelerate's save_state.

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

/// Where training stands.
struct Position {
    std::int64_t step = 0;     ///< optimizer updates done
    std::int64_t samples = 0;  ///< consumed by all ranks together
    std::int64_t tokens = 0;
    std::uint64_t seed = 0;
    std::int64_t training_blocks = 0;   ///< of the data set, to notice that another one is used
    double best_validation_loss = 0;    ///< 0: none yet
    std::int64_t samples_per_step = 0;  ///< of the last step, all ranks together; 0: not known

    void fields(auto& field) const {
        field("step", step).required();
        field("samples", samples).required();
        field("tokens", tokens).required();
        field("seed", seed).required();
        field("training_blocks", training_blocks).required();
        field("best_validation_loss", best_validation_loss)("samples_per_step", samples_per_step);
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

/// What a rank writes of a checkpoint; a list of a Content that is empty makes no file.
struct WriterShare {
    int rank = 0;                                 ///< 0 writes what there is once: position, configuration, index
    int weights = 0, weight_files = 1;            ///< which of the files of weights
    int state = 0, state_files = 1;               ///< which of those of optimizer state and averages
    std::map<std::string, int> file_of_weight{};  ///< of all ranks, where there are several
    std::uint64_t bytes_of_weights = 0;           ///< of all ranks, there
};

/// A rank's files, for a saver. Where there is one file its boxes must be whole tensors.
FilesToSave files_of(const Content& content, const WriterShare& share = {});
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
fs::path find(const fs::path& path, std::vector<Message>* notes = nullptr);

/// Who loads: of the files of tensors a rank reads those that hold something of its own, and its part of the others, so that together the ranks
/// check all of them.
struct Reader {
    int rank = 0, ranks = 1;
};

struct Loaded {
    Position position;
    std::vector<std::string> without_average;  ///< of Content::average: weights of which the checkpoint has none
};

/// Fills the tensors of `content` by intersection of boxes. A file is read at most once: sizes, names and shapes are checked before anything
/// is written, hashes while the tensors are filled. Throws UserError naming every tensor that is missing or of another shape, or the
/// files that are damaged (on the ranks that read them); after damage the tensors hold what was read.
Loaded load(const fs::path& folder, const Content& content, const Reader& reader = {});

/// Content::trainer of a checkpoint; None when it has none. load() has verified it.
Tree load_trainer(const fs::path& folder);

/// Weights alone, of all that formats/weights/weight_source.h opens; for starting from a pre-trained model. Throws UserError naming every tensor that is
/// missing or of another shape. Tensors in `may_lack` that are missing stay as they are; their names are returned.
/// `notes`: receives WeightSource::notes().
std::vector<std::string> load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights,
                                      const std::set<std::string>& may_lack = {},
                                      std::vector<Message>* notes = nullptr);

}  // namespace trainyard::checkpoint
