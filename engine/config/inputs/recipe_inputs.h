// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks, before the start, of everything in a recipe that depends on files: missing or unreadable data, a corpus that
// is too small for one batch on all ranks, a vocabulary that is smaller than the tokens, weights that are missing,
// damaged or of another model.

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

struct InputProblem {
    std::string key;  ///< dotted key of the recipe, e.g. `data.path`
    Message message;  ///< a sentence with the file and what to do
};

/// All problems; empty if the run can start on `world_size` ranks. Reads headers and sizes of files, and of text files
/// at most 256 MB: the ranks check all that they read, and report the same.
std::vector<InputProblem> check_recipe_inputs(const config::Recipe& recipe, std::int64_t world_size);

}  // namespace trainyard::inputs
