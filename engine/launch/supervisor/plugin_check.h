// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks the plug-ins of a recipe before the start: versions, and the names of models, data sets, losses, metrics and
// trackers.

#include <filesystem>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::launch {

/// Loads the plug-ins in a process of their own, which runs their code. Returns what is wrong, each beginning with the
/// key of the recipe. `worker` is trainyard-worker. Blocks until the libraries are loaded, at most a minute.
std::vector<Message> check_plugins(const config::Recipe& recipe, const std::filesystem::path& worker);

}  // namespace trainyard::launch
