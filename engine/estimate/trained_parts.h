// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a recipe trains of its model, from the names of its modules and parameters: weights (model.freeze,
// lora.modules_to_save) and adapters (lora.target_modules, lora.target_parameters).

#include "config/recipe/recipe.h"
#include "estimate/model_parts.h"
#include "estimate/training_setup.h"

namespace trainyard::estimate {

/// Sets TrainingSetup::trained, beside_adapters and the shares of matrices with adapters. Without LoRA, the adapters
/// are those that the recipe has as soon as its lora.r is set. `parts`: of the same model. Throws UserError for an
/// expression that cannot be used.
void set_trained_parts(TrainingSetup& setup, const ModelParts& parts, const config::ModelRecipe& model);

}  // namespace trainyard::estimate
