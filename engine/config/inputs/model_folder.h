// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a checkpoint's folder needs besides weights and config.json, so that transformers loads it as a model: the tokenizer's files, and those of the
// folder that the model started from.

#include <filesystem>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"

namespace trainyard::inputs {

struct FileBeside {
    std::string name;  ///< from the folder on
    std::string content;
};

/// Returns the files next to data.tokenizer. If tokenizer_config.json is missing there, adds one with what
/// AutoTokenizer needs and the special tokens under their usual names. Adds generation_config.json and similar files
/// from the folder that the model started from, and export.json (export_form.h). Throws UserError for files that cannot
/// be read.
std::vector<FileBeside> files_beside_model(const config::Recipe& recipe, const std::filesystem::path& model_folder);
/// The same for a model that starts from model.weights.
inline std::vector<FileBeside> files_beside_model(const config::Recipe& recipe) {
    return files_beside_model(recipe, recipe.model.weights);
}

/// The config.json of weights (a folder or a file); empty if there is none.
std::filesystem::path config_file(const std::filesystem::path& weights);
/// Returns the text of config.json, or of what a folder of Megatron-LM says instead; empty if there is none.
std::string config_text(const std::filesystem::path& weights);

/// Whether texts end at the tokens that the files of the weights name: a recipe can choose another model.eos_token_id.
bool keeps_end_tokens(const config::ModelRecipe& model, const std::filesystem::path& weights);

}  // namespace trainyard::inputs
