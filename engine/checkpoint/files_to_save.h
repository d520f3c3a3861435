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

/// Parameters with the same settings of the optimizer, as torch groups them.
struct OptimizerGroup {
    Tree settings;  ///< a dictionary under torch's names: lr, betas ...
    std::vector<std::string> parameters;
    Tree
        state{};  ///< what each parameter's state has besides tensors of its own: {"step": tensor}; None: the count of `updates`
};

/// A file of tensors: of safetensors, or where there are `groups` of torch.save as optimizer.bin has it; then the tensors are
/// exp_avg.<parameter> and so on. Names that share memory completely are written once to safetensors, under the first of them.
struct WeightsFile {
    NamedTensors tensors;
    std::map<std::string, std::string> metadata{{"format", "pt"}};
    std::vector<OptimizerGroup> groups{};
    std::int64_t updates = 0;  ///< of the optimizer
};

struct FileToSave {
    std::string name;                                      ///< inside the folder
    std::variant<WeightsFile, Tree, std::string> content;  ///< safetensors, torch.save, bytes as they are
};

using FilesToSave = std::vector<FileToSave>;

}  // namespace trainyard::checkpoint
