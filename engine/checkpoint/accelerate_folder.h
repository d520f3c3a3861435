// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of Accelerate's save_state, read and written:
//   model.safetensors, model_1.safetensors ...   or pytorch_model.bin ..., or either in shards with an index
//   optimizer.bin, optimizer_1.bin ...           torch.save of {"state", "param_groups"}
//   pytorch_model_fsdp.bin, pytorch_model_fsdp_<i>/, optimizer_<i>/   of FSDP (dcp_state.h)
//   scheduler.bin, sampler.bin, dl_state_dict.bin (numbered alike), scaler.pt, custom_checkpoint_<i>.pkl
//   random_states_<rank>.pkl                     one per rank
// Loader states differ between ranks; Accelerate lets all write dl_state_dict.bin. Rank 0 keeps that name here, rank r writes
// dl_state_dict_rank<r>.bin (dl_state_dict_1_rank<r>.bin ...), which Accelerate does not look at. manifest.json (manifest.h) is ours.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/staging.h"
#include "checkpoint/files_to_save.h"
#include "checkpoint/parallel_copy.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// Everything that save_state saves, in the order of prepare(). None: an object without state.
struct TrainingState {
    std::vector<NamedTensors> models;
    std::vector<Tree> optimizers;
    std::vector<Tree> schedulers;
    std::vector<Tree> samplers;
    std::vector<Tree> loaders;  ///< of this rank
    Tree scaler;
    std::vector<Tree> custom;  ///< registered objects
    Tree random;               ///< of this rank: capture_random_state(); holds Accelerator's "step"
    std::int64_t iteration =
        -1;  ///< number of the checkpoint under automatic naming; -1: not known (a folder of Accelerate's own)
};

struct WriteAs {
    int rank = 0;
    bool shared_files =
        true;  ///< this rank writes what is the same on all of them (rank 0; with save_on_each_node each local rank 0)
    bool safe_serialization = true;  ///< false: pytorch_model.bin
    bool fsdp_names = false;         ///< the files of FSDP under FULL_STATE_DICT; optimizers' parameters have names
};

/// This rank's files for a saver. Loader states of other ranks than those with `shared_files` go under names of their own.
FilesToSave files_of(const TrainingState& state, const WriteAs& how);

/// Objects of the resuming program that need state, and the program's rank.
struct Expected {
    std::size_t models = 0, optimizers = 0, schedulers = 0, samplers = 0, loaders = 0, custom = 0;
    bool scaler = false;
    int rank = 0;
    int world_size = 1;
};

struct LoadedState {
    TrainingState state;
    /// Messages for the log: random state was derived because the checkpoint has fewer ranks, a loader starts from the
    /// beginning, a scaler has no file.
    std::vector<Message> notes;
    int saved_world_size = 0;  ///< ranks that wrote random_states
};

/// Reads and checks a folder; verifies the manifest when there is one. Tensors are views of mapped files. A missing model, optimizer
/// or scheduler, another number of custom objects, and damaged files are all reported in one UserError, before anything
/// is changed.
/// Samplers, loaders and the scaler may be absent (None), and a program may want less than there is (with notes).
LoadedState load_state(const std::filesystem::path& folder, const Expected& expected);

/// Copies stored tensors into a model's, in parallel, converting dtypes. A "module." in front of all names of either side is
/// ignored. A target that shares memory with another that was found needs no entry of its own (tied weights). `strict`: also entries that the
/// model lacks are problems. Throws UserError with all problems; then nothing has changed.
void copy_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where, bool strict = true);
/// Which stored tensor copy_model() copies where. Throws what it throws.
std::vector<TensorCopy> match_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where,
                                    bool strict = true);
/// Throws what copy_model() would, and copies nothing.
void check_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where, bool strict = true);

/// Weights of all that formats/weights/weight_source.h opens. Throws UserError.
NamedTensors read_weights(const std::filesystem::path& folder_or_file);

/// A folder of save_state, Accelerate's or ours, in contrast to one of the trainer (checkpoint.h).
bool is_save_state_folder(const std::filesystem::path& folder);

/// `<project>/checkpoints/checkpoint_<n>` with the highest n that is whole, verified, and good (Manifest::not_good); others are skipped, each
/// with a sentence in `skipped`. Throws UserError when there is none.
std::filesystem::path newest_checkpoint(const std::filesystem::path& checkpoints,
                                        std::vector<Message>* skipped = nullptr);
/// Folders named checkpoint_<n>, whole or not, newest first.
std::vector<std::filesystem::path> numbered_checkpoints(const std::filesystem::path& checkpoints);

}  // namespace trainyard::checkpoint
