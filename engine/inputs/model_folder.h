#pragma once
// What a checkpoint's folder needs besides weights and config.json, so that transformers loads it as a model: the tokenizer's files, and those of the
// folder that the model started from.

#include <string>
#include <vector>

#include "config/recipe.h"

namespace trainyard::inputs {

struct FileBeside {
    std::string name;  ///< from the folder on
    std::string content;
};

/// The files that lie beside data.tokenizer; without a tokenizer_config.json there, one that says what AutoTokenizer needs, and the special tokens
/// by their usual names. Of model.weights generation_config.json and the like. Throws UserError for files that cannot be read.
std::vector<FileBeside> files_beside_model(const config::Recipe& recipe);

}  // namespace trainyard::inputs
