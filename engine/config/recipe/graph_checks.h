// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// training.cuda_graph: which recipes can be captured (train/step_graph.h). One table says which settings cannot, and
// why.

#include "config/recipe/lora_checks.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// Settings with which forward and backward cannot be captured. The keys of the model must be good. Does nothing unless
/// the recipe asks for a graph.
void check_graph(const Recipe& recipe, const ReportProblem& complain);

}  // namespace trainyard::config
