// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of recipes whose layers several ranks share: parallel.tp_size. Inside this library.

#include "config/recipe/lora_checks.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

void check_tensor_parallel(const Recipe& recipe, const ReportProblem& complain);

}  // namespace trainyard::config
