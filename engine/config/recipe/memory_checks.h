#pragma once
// Checks of what a recipe keeps on a disk in the place of memory: the optimizer's state, and weights that are not trained. Inside this library.

#include "config/recipe/lora_checks.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// parallel.offload_optimizer_nvme_path: there is one where it is used.
void check_offload_folder(const ParallelRecipe& parallel, const ReportProblem& complain);
/// Of a recipe that offloads the optimizer.
void check_offload(const OptimizerPlan& plan, const ReportProblem& complain);
/// `own_model`: of a plug-in or a module, whose weights are not known.
void check_device_map(const Recipe& recipe, bool own_model, const ReportProblem& complain);

}  // namespace trainyard::config
