// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of checkpoint.resume_from before anything starts.

#include <filesystem>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/saved_optimizer.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

/// Parameters of a recipe's model, in the order of the model.
std::vector<checkpoint::SavedParameter> parameters_of(const config::ModelRecipe& model);

/// What keeps the recipe's model from going on from a folder of save_state: weights that the model lacks or that lack,
/// other shapes, another
/// optimizer. Reads headers. Sentences; empty: nothing was found.
std::vector<Message> check_save_state(const std::filesystem::path& folder, const config::Recipe& recipe);

/// The checkpoint that a folder stands for: itself, or the newest one in it or in its `checkpoints`. Empty if there is
/// none.
std::filesystem::path checkpoint_to_resume(const std::filesystem::path& from);

/// The same for checkpoint.resume_from of a recipe, which may be a folder above: its newest checkpoint counts.
/// Checkpoints of the trainer are
/// left to the ranks.
std::vector<Message> check_resume(const config::Recipe& recipe);

}  // namespace trainyard::inputs
