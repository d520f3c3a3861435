// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of recipes whose ranks divide the model: parallel.pp_size, tp_size and ep_size. The sizes of the model must
// divide, and one table says which settings do not work with a dimension of the mesh.

#include "config/recipe/recipe.h"
#include "config/recipe/section_checks.h"

namespace trainyard::config {

/// For a program that makes a model of a recipe on its own ranks. Throws InvalidInput with what `launch` says of these
/// sizes before it starts a rank.
void require_mesh(const Recipe& recipe, std::int64_t ranks);

// Inside this library:

/// The sizes multiply to the number of ranks. Throws InvalidInput.
void check_mesh_sizes(const ParallelRecipe& parallel, std::int64_t ranks);
/// Settings that do not work with a dimension of the mesh.
void check_mesh_conflicts(const Recipe& recipe, const ReportProblem& complain);
/// parallel.pp_size: the model, if its parameters are known, has a block for each stage, and the schedule fits.
void check_pipeline(const Recipe& recipe, bool lists_parameters, const ReportProblem& complain);
/// parallel.tp_size and tp_sequence_parallel. The model's type and task must be good.
void check_tensor_parallel(const Recipe& recipe, const ReportProblem& complain);
/// parallel.ep_size and training.expert_capacity_factor. The keys of the model must be good.
void check_experts(const Recipe& recipe, const ReportProblem& complain);

}  // namespace trainyard::config
