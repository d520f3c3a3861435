// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/memory_checks.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/family.h"

namespace trainyard::config {

bool has_bf16_weights(const Recipe& recipe) {
    if (!is_one_of(recipe.training.mixed_precision, {Precision::bf16, Precision::fp8}) ||
        recipe.training.local_sgd_steps > 0 || recipe.offloads_params() ||
        !families::family_of(recipe.model).lists_tensors())
        return false;
    std::vector<Problem> problems;  // of a recipe that was not checked
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    return problems.empty() && !plan.groups.empty() &&
           std::ranges::all_of(
               plan.groups, [](const OptimizerPlan::Group& group) { return group.settings.rounds_stochastically(); });
}

Message offload_needs_stage_3(std::int64_t zero_stage) {
    return Message(
        "weights are kept on a disk with ZeRO stage 3, which reads those of a unit before it computes, "
        "and zero_stage is {}: set it to 3, or offload_param_device to none",
        zero_stage);
}

Message frozen_weights_elsewhere(const std::string& name, const std::string& place) {
    return Message("'{}' is on {}, and ranks on processors have weights on cpu and disk alone", name, place);
}

void check_offload_folders(const ParallelRecipe& parallel, const ReportProblem& complain) {
    struct Place {
        const char *device_key, *folder_key;
        OffloadDevice device;
        const std::string& folder;
    };
    for (const Place& place : {Place{"parallel.offload_optimizer_device", "parallel.offload_optimizer_nvme_path",
                                     parallel.offload_optimizer_device, parallel.offload_optimizer_nvme_path},
                               Place{"parallel.offload_param_device", "parallel.offload_param_nvme_path",
                                     parallel.offload_param_device, parallel.offload_param_nvme_path}}) {
        const bool nvme = place.device == OffloadDevice::nvme;
        if (nvme && place.folder.empty())
            complain(place.device_key, {place.folder_key},
                     Message("nvme needs a folder: set {} to one on a fast local disk", place.folder_key));
        if (!nvme && !place.folder.empty())
            complain(place.folder_key, {place.device_key},
                     Message("has no effect without {}: set that to nvme, or leave the folder out", place.device_key));
    }
    if (parallel.offload_param_device == OffloadDevice::nvme && parallel.zero_stage != 3)
        complain("parallel.offload_param_device", {"parallel.zero_stage"}, offload_needs_stage_3(parallel.zero_stage));
}

/// Only state with one or two values for each element is stored in flat buffers, whose slices can be offloaded.
void check_offload(const OptimizerPlan& plan, const ReportProblem& complain) {
    const char* key = "parallel.offload_optimizer_device";
    bool any = false;
    for (const OptimizerPlan::Group& group : plan.groups) {
        const OptimizerKind& kind = group.settings.kind();
        if (!kind.element_wise || kind.in_backward)
            return complain(key, {"optimizer.name"},
                            Message("the state of {} is not updated element by element after backward, and cannot be "
                                    "kept on a disk: set it to none, or use an optimizer like adamw",
                                    kind.name));
        any = any || !states_of(group.settings, {1}).empty();
    }
    if (!any)
        complain(key, {"optimizer.name", "optimizer.arguments"},
                 Message("{} without momentum has no state to offload: set it to none",
                         plan.groups.back().settings.kind().name));
}

/// Weights on disk are read for a block at a time, and what is trained has gradients and moments beside it.
void check_device_map(const Recipe& recipe, bool own_model, const ReportProblem& complain) {
    const ModelRecipe& model = recipe.model;
    try {
        for (const auto& [device, size] : max_memory_of(model))
            if (device != "cpu" && device != "disk")
                complain("model.max_memory", {},
                         Message("it limits {}, and ranks on processors have weights on cpu and disk alone", device));
    } catch (const UserError& error) {
        complain("model.max_memory", {}, error.message());
    }
    if (model.device_map.empty()) {
        if (!model.max_memory.empty())
            complain("model.max_memory", {"model.device_map"},
                     "has no effect without model.device_map: set it to auto");
        return;
    }
    const auto refuse = [&](bool asked, const std::vector<std::string>& others, const Message& why) {
        if (asked)
            complain("model.device_map", others, why);
    };
    refuse(own_model, {"model.model_type"}, Message("needs a built-in model, not {}: leave it out", model.model_type));
    refuse(model.weights.empty(), {"model.weights"},
           "needs model.weights: weights that stay on disk are read from their files");
    refuse(model.lora.r == 0, {"lora.r"},
           "is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8; layers that "
           "are trained on several devices are pipeline stages (parallel.pp_size)");
    refuse(recipe.parallel.pp_size > 1, {"parallel.pp_size"},
           "does not work with pipeline stages in this version: set parallel.pp_size to 1");
}

}  // namespace trainyard::config
