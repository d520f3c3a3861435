// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of where and how a recipe stores weights and the optimizer's state: on a disk instead of in memory, and
// without fp32 masters.

#include <cstdint>
#include <string>

#include "base/message.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"
#include "config/recipe/section_checks.h"

namespace trainyard::config {

/// Whether weights are stored in bfloat16 alone, without fp32 masters: the optimizer rounds all of them stochastically,
/// and nothing else computes with their masters.
bool has_bf16_weights(const Recipe& recipe);
/// Why weights are not offloaded at a stage of ZeRO.
Message offload_needs_stage_3(std::int64_t zero_stage);
/// Why a device map cannot have a part of a model on an accelerator.
Message frozen_weights_elsewhere(const std::string& name, const std::string& place);
/// Checks that the folders of what is offloaded are set if and only if they are used, and what offloading needs.
void check_offload_folders(const ParallelRecipe& parallel, const ReportProblem& complain);
/// Checks the optimizer of a recipe that offloads the optimizer state.
void check_offload(const OptimizerPlan& plan, const ReportProblem& complain);
/// `own_model`: the model comes from a plug-in or a module, so its weights are not known.
void check_device_map(const Recipe& recipe, bool own_model, const ReportProblem& complain);

}  // namespace trainyard::config
