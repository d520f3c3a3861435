#pragma once
// The weights that a recipe starts from (model.weights), looked at before anything starts: the config.json beside them, names, shapes and types. They are
// opened by the reader that loads them (weights/weight_source.h), so what passes here loads.

#include "inputs/recipe_inputs.h"

namespace trainyard::inputs {

struct SettledModel {
    /// Values that the recipe leaves out are those of config.json, or of the recipe's defaults where there is none; all count as written. The recipe's
    /// own model where the weights are not on this machine, or their config.json cannot be read.
    config::ModelRecipe model;
    /// Of config.json: what this version cannot compute, and what contradicts a value that the recipe gives.
    std::vector<InputProblem> problems;
};

/// Settles what a model with `weights` is. A model without weights is settled already. Reads config.json alone, throws nothing.
SettledModel settle_model(const config::ModelRecipe& model);

/// What is wrong with the weights for this model: missing, damaged, tensors that do not fit or that it lacks. Reads headers, and of tensors only
/// those of a head that may be tied. Throws UserError when they cannot be opened.
std::vector<InputProblem> check_start_weights(const config::ModelRecipe& model);

}  // namespace trainyard::inputs
