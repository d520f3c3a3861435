// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Converts the config.json of a golden GPT-2 to families::ModelConfig.

#include <nlohmann/json.hpp>

#include "config/recipe/recipe.h"
#include "models/spec/config_file.h"

namespace trainyard::test {

inline config::ModelRecipe gpt2_recipe(const nlohmann::json& config) {
    config::ModelRecipe recipe;
    static_cast<families::ModelConfig&>(recipe) = families::read_config(config.dump(), "config.json").config;
    return recipe;
}

}  // namespace trainyard::test
