// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adapters of low rank (LoRA) beside the matrices of a model, whatever its family: y = x W + scale * x A' B'. Names,
// file layout and start are PEFT's: A begins uniform within 1 / sqrt(in), B with zeros, so that an adapter begins as
// nothing. Those of parameters (target_parameters) are of parameters of transformers' modules
// (models/spec/module_parameters.h): experts, which are one for all there, share A and B, and a module's second one
// lies within a base_layer. Hu et al., "LoRA: low-rank adaptation of large language models", ICLR 2022.

#include <string>
#include <vector>

#include "config/recipe/module_targets.h"
#include "config/recipe/recipe.h"
#include "models/nn/model.h"

namespace trainyard::models {

/// Adds an adapter to every Linear that the recipe names, itself or its parameter, as parameters
/// <module>.lora_A.weight and <module>.lora_B.weight of the module's unit; several adapters of a model need
/// `suffix`es ("lora_A" + suffix). Modules that the recipe saves whole get none. Before the model's parameters are
/// laid out. Throws UserError where no module or parameter is named so.
void add_adapter(Model& model, const config::LoraRecipe& recipe, const std::string& suffix = {},
                 const config::ModuleExceptions& exceptions = {});

/// PEFT's adapter_config.json for an adapter of these modules, and of the recipe's target_parameters.
std::string adapter_config(const Model& model, const config::ModelRecipe& recipe,
                           const std::vector<std::string>& modules);

/// Modules of the model that have adapters by target_modules.
std::vector<std::string> adapted_modules(const Model& model);

/// PEFT's name of a parameter of an adapter in adapter_model.safetensors.
std::string peft_name(const std::string& parameter);

}  // namespace trainyard::models
