// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keys of a recipe that are given from outside of it, e.g. by a settings file of Accelerate's kind.

#include <string>
#include <vector>

#include "base/error.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

struct GivenKey {
    std::string key;     ///< parallel.zero_stage
    std::string value;   ///< YAML
    std::string source;  ///< deepspeed_config.zero_stage of accelerate.yaml
};

/// Returns those that the recipe leaves at the default, as overrides (apply_overrides). Other values of the recipe that
/// differ are added to `problems`.
std::vector<std::string> overrides_of(const std::vector<GivenKey>& given, const Recipe& recipe,
                                      std::vector<Problem>& problems);
/// apply_overrides() whose problems have the source of a given key as their file.
void apply_given(Recipe& recipe, const std::vector<std::string>& overrides, const std::vector<GivenKey>& given);

}  // namespace trainyard::config
