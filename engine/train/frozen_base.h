// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The weights of a recipe that are not trained where model.device_map says (dispatch/): on the processor, or in the
// files of model.weights, of which the pages of a block are in memory while it computes. Adapters, and whatever else
// is trained, are in flat groups as ever.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "inference/dispatch/dispatch_model.h"
#include "models/nn/model.h"

namespace trainyard::train {

/// Whether what is not trained is in no flat group: a map says where it is, or its matrices stay in 4 or 8 bits.
bool has_frozen_base(const config::ModelRecipe& recipe);
inline bool lies_by_map(const config::ModelRecipe& recipe, const parallel::Parameter& parameter) {
    return !parameter.trains() && has_frozen_base(recipe);
}

struct FrozenBase {
    std::unique_ptr<dispatch::Dispatched> dispatched;  ///< hooks of the model, which lives longer
    std::vector<Message> warnings;
    std::uint64_t on_disk = 0;  ///< bytes of weights, as stored
    std::uint64_t packed = 0;   ///< bytes of weights that stay in 4 or 8 bits
};

/// Reads the headers of model.weights, and the weights that are to be in memory. `elsewhere`: those that other ranks
/// have, and this one has not. `type`: dtype of matrix products.
/// Throws UserError if the map or the files do not match the model, or a device does not exist here. Skips trained
/// parameters (config/inputs/recipe_inputs.h refuses a map that puts them elsewhere).
FrozenBase place_frozen(const models::Model& model, const config::ModelRecipe& recipe,
                        const std::set<const parallel::Parameter*>& elsewhere, at::ScalarType type, c10::Device device,
                        int ranks_here);

}  // namespace trainyard::train
