// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// DeepSpeed's own JSON file (deepspeed_config_file) with a recipe: every key of it is applied to the recipe, has
// nothing to act on, or is refused with file and key before anything starts. `auto` takes the recipe's value where
// Accelerate takes the script's (deepspeed_config.h).

#include <optional>
#include <string>
#include <vector>

#include "config/recipe/given_keys.h"
#include "launch/plan/deepspeed_config.h"
#include "launch/plan/recipe_settings.h"

namespace trainyard::plan {

struct DeepspeedFile {
    std::vector<RecipeSetting> rows;          ///< of every key, named `zero_optimization.stage`
    std::vector<config::GivenKey> of_recipe;  ///< what the applied ones set
};

/// That of the settings; nothing if they name none, or ask for another way of training. Throws UserError if it cannot
/// be read or holds no JSON object.
std::optional<DeepspeedFile> deepspeed_file_of(const settings::Settings& settings, Paradigm asked);

/// The keys of a recipe's sections optimizer and schedule that a configuration without `auto` sets. `file` names it.
std::vector<config::GivenKey> deepspeed_parts(const DeepspeedConfig& config, const std::string& file);

/// The JSON that DeepSpeed would receive from Accelerate for this recipe on so many ranks, where the settings name
/// DeepSpeed's file; empty: they name none. Throws UserError where Accelerate refuses it.
std::string resolved_deepspeed(const settings::Settings& settings, Paradigm asked, const config::Recipe& recipe,
                               std::int64_t ranks);

}  // namespace trainyard::plan
