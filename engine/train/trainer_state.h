// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The content of a trainer's checkpoints (checkpoint/checkpoint.h has their files): what each rank saves, and how
// training starts or resumes from it.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "config/inputs/model_folder.h"
#include "train/training.h"

namespace trainyard::train {

class TrainerState {
  public:
    /// `training` outlives it.
    explicit TrainerState(Training& training) : training_(training) {}

    /// Initialises, or loads what the recipe names (weights, or a checkpoint to resume from), and checks that all ranks
    /// have the same model. Returns a sentence on where training starts. `notices` receives what the user should know
    /// about it. Collective.
    Message start(std::vector<Notice>& notices);
    /// Loads a checkpoint in the middle of training: all but position, health, metric and the highest learning rate
    /// become those of `folder`. Collective.
    void go_back_to(const std::filesystem::path& folder);

    /// Weights, and the optimizer state that this rank holds, under their names, to be filled from a checkpoint; of a
    /// pipeline those of this rank's stage.
    checkpoint::Content content() const;
    /// Ranks other than 0 have files of a checkpoint to write, on all ranks alike.
    bool saves_together() const;
    /// The files of a checkpoint that this rank writes. Where no rank has the weights whole they are gathered, one at a
    /// time, on the rank that writes them: collective then.
    checkpoint::FilesToSave files_to_save() const;

  private:
    Message begin();
    Message resume(std::vector<Notice>& notices);
    Message resume_from_accelerate(const std::filesystem::path& folder, std::vector<Notice>& notices);
    void check_same_on_all_ranks() const;
    /// Reads the files that checkpoints have besides the weights from the folder of a model.
    void take_files_of(const std::filesystem::path& model);
    void begin_average();
    /// Weights, moments and averages. Collective; throws UserError on all ranks when one cannot read its part.
    checkpoint::Loaded load_on_all(const std::filesystem::path& folder);
    /// Loads everything else afterwards. Returns a sentence on state that was reinitialised, or an empty message.
    Message load_rest(const std::filesystem::path& folder, const checkpoint::Loaded& loaded);
    /// Of trainer.bin.
    Tree own_state() const;
    void load_own_state(const Tree& state);
    /// Of a checkpoint that has the average in trainer.bin, as earlier versions wrote it.
    void load_whole_average(const Tree& stored);
    /// Of optimizer.bin: all of the optimizer's state, with the rate of the next update.
    Tree optimizer_state() const;
    /// The file of each weight, if a model has several.
    void assign_weights(checkpoint::WriterShare& share, int files_of_rank) const;
    /// Of an adapter's file, with PEFT's names: `own`, which are the values of this rank's stages, and those of the
    /// others, which send them to the first rank of the pipeline. Empty on the others. Collective over the pipeline.
    NamedTensors adapter_of_all_stages(const std::map<std::string, at::Tensor>& own) const;
    /// The file of this rank alone: state of its communication hook, or its moments under Local SGD.
    std::optional<checkpoint::FileToSave> own_file() const;
    /// Of each trained parameter the elements that this rank owns, flat.
    NamedTensors owned_weights() const;
    /// Of each trained parameter, flat: exp_avg.<name> and what else the optimizer keeps.
    NamedTensors owned_moments() const;

    Training& training_;
    std::vector<inputs::FileBeside> files_beside_;  ///< of a checkpoint
    std::string config_origin_;                     ///< config.json that the model was read from; empty: none
};

}  // namespace trainyard::train
