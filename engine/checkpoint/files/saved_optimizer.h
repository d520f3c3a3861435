// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The optimizer that a program of torch saved in optimizer.bin: which one, which parameter each of its states is of, and with what its groups were
// trained.
//
// torch numbers parameters by their place in param_groups. Names are in the file where the optimizer was made of named parameters
// ("param_names", torch 2.6); otherwise every group is taken to list its parameters in the order of the model, and the shapes must leave one
// way to read it. Needs no LibTorch: the checks before a start use it, too.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"

namespace trainyard::checkpoint {

struct SavedParameter {
    std::string name;
    std::vector<std::int64_t> shape;
    bool trains = true;
};

struct SavedOptimizer {
    struct Group {
        config::OptimizerSettings settings;  ///< lr is the highest of its schedule where the file has it, else the last
        std::vector<std::string> parameters;
    };
    std::vector<Group> groups;
    std::map<std::string, std::int64_t> numbers;  ///< key under "state"; parameters that never had a gradient have none
    std::int64_t steps = 0;                       ///< most updates of a parameter; 0 where the optimizer does not count
};

/// `parameters` are those of the model, in its order. Throws UserError that names the file: it is of another optimizer than the recipe's (which), its
/// groups do not fit the model, or leave open which parameters they are of.
SavedOptimizer read_saved_optimizer(const std::filesystem::path& file, const std::vector<SavedParameter>& parameters,
                                    const config::OptimizerRecipe& recipe);

/// What the recipe replaces: a sentence for every setting that the groups have with another value. Empty: they agree.
std::vector<Message> replaced_settings(const SavedOptimizer& saved, const config::OptimizerRecipe& recipe,
                                       const std::vector<SavedParameter>& parameters);

}  // namespace trainyard::checkpoint
