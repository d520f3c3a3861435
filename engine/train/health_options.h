// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The health monitor of a recipe.

#include <algorithm>

#include "config/recipe/recipe.h"
#include "train/loop/health.h"

namespace trainyard::train {

inline HealthOptions health_options(const config::HealthRecipe& recipe) {
    HealthOptions options;
    options.on_non_finite = recipe.on_non_finite;
    options.on_spike = recipe.on_spike;
    options.spike.threshold = recipe.spike_threshold;
    options.spike.window = recipe.spike_window;
    options.spike.warm_up = std::min(options.spike.warm_up, recipe.spike_window);
    options.stop_after = recipe.stop_after;
    return options;
}

}  // namespace trainyard::train
