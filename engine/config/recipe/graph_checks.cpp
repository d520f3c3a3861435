// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/section_checks.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

/// A setting that a captured step cannot have.
struct GraphConflict {
    const char* key;
    bool (*is_asked)(const Recipe& recipe);
    std::string_view reason;
};

bool is_own_model(const Recipe& recipe) {
    return !families::family_of(recipe.model).lists_tensors();
}

bool has_experts(const Recipe& recipe) {
    return families::family_of(recipe.model).network() == families::Network::decoder &&
           families::decoder_options(recipe.model).experts > 0;
}

bool updates_in_backward(const Recipe& recipe) {
    std::vector<Problem> problems;  // reported by the checks of optimizers
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    return problems.empty() && plan.in_backward();
}

constexpr GraphConflict kGraphConflicts[] = {
    {"parallel.pp_size", [](const Recipe& r) { return r.parallel.pp_size > 1; },
     "pipeline stages wait for messages of other ranks between the passes"},
    {"parallel.tp_size", [](const Recipe& r) { return r.parallel.tp_size > 1; },
     "the ranks of a layer exchange tensors within the passes"},
    {"parallel.cp_size", [](const Recipe& r) { return r.parallel.cp_size > 1; },
     "ranks exchange parts of sequences within the passes"},
    {"parallel.sp_size", [](const Recipe& r) { return r.parallel.sp_size > 1; },
     "ranks exchange parts of sequences within the passes"},
    {"parallel.ep_size", [](const Recipe& r) { return r.parallel.ep_size > 1; },
     "ranks exchange tokens for experts within the passes"},
    {"parallel.zero_stage", [](const Recipe& r) { return r.parallel.zero_stage > 1; },
     "from stage 2 on, memory is allocated and released within the passes: use 0 or 1"},
    {"parallel.offload_optimizer_device", [](const Recipe& r) { return r.offloads_optimizer(); },
     "the disk is read and written by the host"},
    {"parallel.offload_param_device", [](const Recipe& r) { return r.offloads_params(); },
     "the disk is read and written by the host"},
    {"model.device_map", [](const Recipe& r) { return !r.model.device_map.empty(); },
     "weights are read from files and other devices within the passes"},
    {"model.model_type", is_own_model, "modules from files and plug-ins may read values on the host"},
    {"model.model_type", has_experts, "how many tokens an expert gets differs in every step"},
    {"model.task", [](const Recipe& r) { return r.model.task != families::kCausalLm; },
     "only steps of causal_lm are captured in this version"},
    {"model.loss", [](const Recipe& r) { return !r.model.loss.empty(); },
     "the loss of a plug-in may read values on the host"},
    {"data.pack", [](const Recipe& r) { return r.model.task == families::kCausalLm && !r.data.pack; },
     "samples of one text have masks, which the host reads: pack them"},
    {"data.plugin", [](const Recipe& r) { return !r.data.plugin.empty(); },
     "batches of a plug-in may have any shape and mask"},
    {"training.step_function", [](const Recipe& r) { return !r.training.step_function.empty(); },
     "the step of a plug-in may read values on the host"},
    {"training.mixed_precision", [](const Recipe& r) { return r.training.mixed_precision == Precision::fp8; },
     "the host computes the scales of fp8: use bf16 or fp16"},
    {"training.auto_find_batch_size", [](const Recipe& r) { return r.training.auto_find_batch_size; },
     "the graph has the batch size of its capture"},
    {"quantization.method", [](const Recipe& r) { return keeps_quantized(r.model); },
     "products with quantized matrices are not captured in this version"},
    {"optimizer.name", updates_in_backward, "it updates the weights within the backward pass"},
};

}  // namespace

void check_graph(const Recipe& recipe, const ReportProblem& complain) {
    if (!recipe.training.cuda_graph)
        return;
    for (const GraphConflict& conflict : kGraphConflicts)
        if (conflict.is_asked(recipe))
            complain("training.cuda_graph", {conflict.key},
                     Message("does not work with this {}: {}. Change that, or set training.cuda_graph to no",
                             conflict.key, Message::table_text(conflict.reason)));
}

}  // namespace trainyard::config
