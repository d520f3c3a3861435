#pragma once
// Problems of a recipe that show only on the disk, found before anything starts: missing or unreadable data, a corpus
// too small for one batch on all ranks, a vocabulary smaller than the tokens, weights that are missing,
// damaged, or of another model.

#include <cstdint>
#include <string>
#include <vector>

#include "config/recipe.h"

namespace trainyard::inputs {

struct InputProblem {
    std::string key;      ///< dotted key of the recipe, e.g. `data.path`
    std::string message;  ///< one sentence with the file and the mend
};

/// All problems; empty when the run can start on `world_size` ranks. Reads file headers and sizes.
std::vector<InputProblem> check_recipe_inputs(const config::Recipe& recipe, std::int64_t world_size);

}  // namespace trainyard::inputs
