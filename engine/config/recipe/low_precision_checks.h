// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of the sections `quantization` and `fp8`, and what does not go with them. Inside this library.

#include "config/recipe/lora_checks.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// `own_model`: of a plug-in or a module, whose layers are not known.
void check_quantization(const Recipe& recipe, bool own_model, const ReportProblem& complain);
/// `knows_parameters`: the names and shapes of the model's parameters follow from the recipe.
void check_fp8(const Recipe& recipe, bool own_model, bool knows_parameters, const ReportProblem& complain);

}  // namespace trainyard::config
