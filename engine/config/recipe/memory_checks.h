// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of what a recipe keeps on a disk instead of in memory: the optimizer's state, and weights that are not
// trained. Internal to this library.

#include "config/recipe/lora_checks.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// Checks that parallel.offload_optimizer_nvme_path is set if and only if it is used.
void check_offload_folder(const ParallelRecipe& parallel, const ReportProblem& complain);
/// Checks the optimizer of a recipe that offloads the optimizer state.
void check_offload(const OptimizerPlan& plan, const ReportProblem& complain);
/// `own_model`: the model comes from a plug-in or a module, so its weights are not known.
void check_device_map(const Recipe& recipe, bool own_model, const ReportProblem& complain);

}  // namespace trainyard::config
