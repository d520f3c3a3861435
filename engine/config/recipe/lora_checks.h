// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of the section `lora`: adapters, and what does not go with them. Inside this library.

#include <functional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// A problem of `key`, unless it or one of the others has one of its own.
using ReportProblem =
    std::function<void(const std::string& key, const std::vector<std::string>& others, Message message)>;

/// `knows_parameters`: the names of the model's parameters follow from the recipe.
void check_lora(const Recipe& recipe, bool knows_parameters, const ReportProblem& complain);

}  // namespace trainyard::config
