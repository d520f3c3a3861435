#pragma once
// The config.json of a golden GPT-2 as the engine's own description of the model.

#include <nlohmann/json.hpp>

#include "config/recipe.h"

namespace trainyard::test {

inline config::ModelRecipe gpt2_recipe(const nlohmann::json& config) {
    config::ModelRecipe recipe;
    recipe.vocab_size = config.at("vocab_size");
    recipe.n_positions = config.at("n_positions");
    recipe.n_embd = config.at("n_embd");
    recipe.n_layer = config.at("n_layer");
    recipe.n_head = config.at("n_head");
    recipe.n_inner = config.at("n_inner").is_null() ? 0 : config.at("n_inner").get<std::int64_t>();
    recipe.layer_norm_epsilon = config.at("layer_norm_epsilon");
    return recipe;
}

}  // namespace trainyard::test
