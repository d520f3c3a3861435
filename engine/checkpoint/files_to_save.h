// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a rank contributes to a checkpoint folder, as descriptions: the saver copies the tensors aside (the only pause of training) and
// writes the files in the background.

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// Tensors of a safetensors file. Names that share memory completely are written once, under the first of them.
struct WeightsFile {
    NamedTensors tensors;
    std::map<std::string, std::string> metadata{{"format", "pt"}};
};

struct FileToSave {
    std::string name;                                      ///< inside the folder
    std::variant<WeightsFile, Tree, std::string> content;  ///< safetensors, torch.save, bytes as they are
};

using FilesToSave = std::vector<FileToSave>;

}  // namespace trainyard::checkpoint
