// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PEFT's adapter_config.json: what an adapter of low rank (LoRA) adds to which modules. Every field takes effect, or is
// known not to change the result, or is refused by its name.

#include <filesystem>
#include <string>

#include "config/recipe/module_targets.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

struct AdapterConfig {
    config::LoraRecipe lora;
    config::ModuleExceptions exceptions;
    /// How the training changed the weights that it started from. PiSSA and OLoRA subtract the adapter's first values
    /// from them (Meng et al., 2024; Büyükakyüz, 2024).
    enum class Start { unchanged, pissa, olora } start = Start::unchanged;
    std::string init_lora_weights;  ///< of `start`, as the file has it
    std::string base;               ///< base_model_name_or_path
};

/// `name` of the file for messages. Throws UserError with all problems of the file.
AdapterConfig parse_adapter_config(const std::string& text, const std::string& name);
/// The adapter_config.json of this folder.
AdapterConfig read_adapter_config(const std::filesystem::path& folder);

}  // namespace trainyard::inputs
