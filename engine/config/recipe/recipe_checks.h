// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks the values of a recipe, whatever its source. Internal to the library: others call check_recipe().

#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// Single values, then values against each other. `unread` keys hold defaults because their text was wrong: nothing is
/// said of them.
std::vector<Problem> check_values(const Recipe& recipe, const std::set<std::string>& unread);

}  // namespace trainyard::config
