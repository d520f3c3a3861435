// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks, before the start, of the weights that a recipe starts from (model.weights): the config.json next to them,
// names, shapes and dtypes. It uses the reader that also loads them (formats/weights/weight_source.h), so weights that
// pass can be loaded.

#include "base/message.h"
#include "config/inputs/recipe_inputs.h"

namespace trainyard::inputs {

struct SettledModel {
    /// The recipe's model, completed with the values of config.json, or with the recipe's defaults without that file;
    /// all values count as given by the recipe. Unchanged if the weights are not on this machine or their config.json
    /// cannot be read.
    config::ModelRecipe model;
    /// Problems of config.json: values that this version cannot compute, and values that contradict the recipe.
    std::vector<InputProblem> problems;
    /// A sentence, with the file, for each value of config.json that takes effect in another way than it may mean, or
    /// that the weights contradict.
    std::vector<Message> notes = {};
};

/// Resolves the values of a model that starts from `weights`. Returns a model without weights unchanged. Reads
/// config.json, and of the weights what says whether the head is tied; does not throw.
SettledModel settle_model(const config::ModelRecipe& model);

/// Resolves the model of a recipe (settle_model()) and what of the data depends on its task: samples of recordings and
/// images have no tokens, which count as one. Returns the problems and notes.
SettledModel settle_model_of(config::Recipe& recipe);

/// Sentences on how the weights of a model will be read: SettledModel::notes, and those of the file
/// (WeightSource::notes(), such as parts of names that were left out). Empty for weights that cannot be read, which
/// their own check reports.
std::vector<Message> notes_of_weights(const config::ModelRecipe& model);

/// Problems of the weights for this model: missing or damaged files, tensors that do not fit or are missing. Reads
/// headers, and data only of a head that may be tied. Throws UserError if the weights cannot be opened.
std::vector<InputProblem> check_start_weights(const config::ModelRecipe& model);

}  // namespace trainyard::inputs
