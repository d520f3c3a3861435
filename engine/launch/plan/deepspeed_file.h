#pragma once
// DeepSpeed's own JSON file (deepspeed_config_file) with a recipe: every key of it is applied to the recipe, has
// nothing to act on, or is refused with
// file and key before anything starts. `auto` takes the recipe's value, as Accelerate takes the script's. Keys:
// https://www.deepspeed.ai/docs/config-json

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe/given_keys.h"
#include "launch/plan/recipe_settings.h"

namespace trainyard::plan {

struct DeepspeedFile {
    std::vector<RecipeSetting> rows;          ///< of every key, named `zero_optimization.stage`
    std::vector<config::GivenKey> of_recipe;  ///< what the applied ones set
};

/// `ranks`: data-parallel ranks of the run, which train_batch_size counts. Throws UserError when the file cannot be
/// read or holds no JSON object.
DeepspeedFile read_deepspeed_file(const std::filesystem::path& file, int ranks, bool cpu);

/// That of the settings; nothing when they name none, or ask for another way of training.
std::optional<DeepspeedFile> deepspeed_file_of(const settings::Settings& settings, Paradigm asked);

}  // namespace trainyard::plan
