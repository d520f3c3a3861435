// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of checkpoint.resume_from before anything starts.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/saved_optimizer.h"
#include "config/inputs/recipe_inputs.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

/// Parameters of a recipe's model, in the order of the model.
std::vector<checkpoint::SavedParameter> parameters_of(const config::ModelRecipe& model);

/// What keeps the recipe's model from continuing from a folder of save_state: weights that the model or the folder
/// lacks, other shapes, another optimizer. Reads headers. Empty: nothing was found.
std::vector<Message> check_save_state(const std::filesystem::path& folder, const config::Recipe& recipe);

/// The checkpoint that a folder stands for: itself, or the newest one in it or in its `checkpoints`. Empty if there is
/// none.
std::filesystem::path checkpoint_to_resume(const std::filesystem::path& from);

/// The same for checkpoint.resume_from of a recipe, which may be a folder above: its newest checkpoint counts.
/// Of checkpoints of the trainer the model is compared: its type, names and shapes of weights and adapters; the rest is
/// left to the ranks, except that state is missing which the optimizer needs. Of every checkpoint that has a tokenizer,
/// the tokenizer is compared.
std::vector<Message> check_resume(const config::Recipe& recipe);

/// The note that a checkpoint of the trainer has the state of an optimizer which keeps more than the recipe's.
Message note_on_optimizer(const config::Recipe& recipe);
/// This note and note_on_tokenizer() (tokenizer_check.h), with the keys of the recipe that they are about.
std::vector<InputProblem> notes_on_files(const config::Recipe& recipe);

/// The step of the checkpoint of the trainer that the recipe resumes from, if it is the recipe's last step or a later
/// one: the run evaluates the checkpoint, saves its state and ends.
std::optional<std::int64_t> step_without_rest(const config::Recipe& recipe);
/// With training.auto_find_batch_size: the micro-batch of a rank that the run found which wrote the checkpoint that the
/// recipe resumes from. 0: none.
std::int64_t found_batch_size(const config::Recipe& recipe);
/// The note about that, before the start and in the run's journal.
Message no_rest_message(std::int64_t step, std::int64_t steps);

}  // namespace trainyard::inputs
