// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files of a model's folder besides the weights that transformers, PEFT and sentence-transformers read.

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::weights {

/// A file of a folder: its path, and its name from the folder on (a module of sentence-transformers has a folder of
/// its own).
struct ModelFile {
    std::filesystem::path path;
    std::string name;
};

/// Which of them: those of the tokenizer; those of what is computed around the network, whatever its task (generation,
/// pictures); or both with config.json and the modules of sentence-transformers, which belong to a model as it is.
enum class ModelFiles { tokenizer, around, all };

/// Those that are in `folder` (of a file: the folder that it is in).
std::vector<ModelFile> model_files(const std::filesystem::path& folder, ModelFiles which);

}  // namespace trainyard::weights
