// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether weights belong to the tokenizer of a recipe: folders of models and checkpoints have their tokenizer.json beside
// the weights. A model with another one of the same size loads, and its embeddings mean other tokens.

#include <filesystem>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

/// How the tokens of two tokenizer.json differ: another token under the same id, or another merge at the same place.
/// Tokens and merges that only one of them has are ignored, because vocabularies are extended. The layout of the files is
/// ignored, too.
/// Empty: they do not differ. Throws UserError for a file that cannot be read.
Message token_difference(const std::filesystem::path& one, const std::filesystem::path& other);

/// token_difference() of the tokenizer.json in a folder and data.tokenizer. Empty also if the recipe has no tokenizer,
/// the folder has none, or one of the files cannot be read: their own checks report that.
Message other_tokenizer(const std::filesystem::path& folder, const config::DataRecipe& data);

/// The note that model.weights come with other tokens than those of data.tokenizer, which can be intended. Empty for a
/// recipe that resumes a checkpoint: check_resume() refuses other tokens there.
Message note_on_tokenizer(const config::Recipe& recipe);

}  // namespace trainyard::inputs
