#pragma once
// Adapters of PEFT's layout, added to a model side by side. Inside this library.

#include <string>
#include <vector>

#include "generate/loaded_model.h"

namespace trainyard::generate {

/// Before the model is laid out; what their configurations say is returned. Throws UserError: a configuration that is no LoRA, or has what is not
/// computed here (DoRA, biases).
std::vector<config::LoraRecipe> add_adapters(models::Model& model, const std::vector<AdapterSource>& adapters);
/// Behind it: fills them.
void load_adapters(const models::Model& model, const std::vector<AdapterSource>& adapters);
/// Fills the modules that they bring whole, once the model has its own weights.
void load_whole_modules(const models::Model& model, const std::vector<AdapterSource>& adapters,
                        const std::vector<config::LoraRecipe>& recipes);

/// The folder of the model that an adapter names. Throws UserError where it is none on this machine.
std::filesystem::path base_of_adapter(const std::filesystem::path& folder);

/// adapter_config.json's text as a recipe; `name` of the file for messages. Throws UserError.
config::LoraRecipe parse_adapter_config(const std::string& text, const std::string& name);

}  // namespace trainyard::generate
