// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/tensor_checks.h"

#include <string_view>

#include "config/recipe/optimizer_kinds.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::config {

namespace {

constexpr const char* kKey = "parallel.tp_size";

/// A setting that does not go with ranks that share layers.
struct Conflict {
    const char* key;
    bool (*is_asked)(const Recipe& recipe);
    std::string_view instead;
};

bool updates_whole_parameters(const Recipe& recipe) {
    std::vector<Problem> problems;  // reported by the checks of optimizers
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    return problems.empty() && (!plan.element_wise() || plan.in_backward());
}

constexpr Conflict kConflicts[] = {
    {"parallel.comm_hook",
     [](const Recipe& r) {
         return is_one_of(r.parallel.comm_hook, {CommHookType::power_sgd, CommHookType::batched_power_sgd});
     },
     "use no, fp16 or bf16"},
    {"training.local_sgd_steps", [](const Recipe& r) { return r.training.local_sgd_steps > 0; }, "set it to 0"},
    {"training.mixed_precision", [](const Recipe& r) { return r.training.mixed_precision == Precision::fp8; },
     "use no, fp16 or bf16"},
    {"training.metrics", [](const Recipe& r) { return !r.training.metrics.empty(); }, "leave them out"},
    {"generation.every", [](const Recipe& r) { return r.generation.every > 0; },
     "set it to 0 and use trainyard generate"},
    {"lora.r", [](const Recipe& r) { return r.model.lora.r > 0; }, "set one of them to its default"},
    {"model.device_map", [](const Recipe& r) { return !r.model.device_map.empty(); }, "leave one of them out"},
    {"optimizer.name", updates_whole_parameters, "use one that updates each element independently, such as adamw"},
};

}  // namespace

void check_tensor_parallel(const Recipe& recipe, const ReportProblem& complain) {
    const std::int64_t size = recipe.parallel.tp_size;
    if (families::tensor_plan(recipe.model).empty())
        return complain(kKey, {"model.model_type", "model.task"},
                        Message("{}: ranks share the layers of GPT-2 and of decoders without experts that are trained "
                                "as causal_lm, and this is {}, trained as {}: set it to 1",
                                size, recipe.model.model_type, recipe.model.task));
    for (const Conflict& conflict : kConflicts)
        if (conflict.is_asked(recipe))
            complain(conflict.key, {kKey},
                     Message("does not go with layers that ranks share (parallel.tp_size is {}): {}", size,
                             Message::table_text(conflict.instead)));
    for (const families::DividedSize& one : families::divided_sizes(recipe.model)) {
        const std::string key = "model." + one.key;
        if (one.or_copies && one.size % size != 0 && size % one.size != 0)
            complain(
                kKey, {key},
                Message("{}: {} ({}) neither divides among the ranks nor can be repeated evenly: take a divisor or "
                        "a multiple of {}",
                        size, key, one.size, one.size));
        else if (one.evenly && !one.or_copies && one.size % size != 0)
            complain(kKey, {key},
                     Message("{}: {} ({}) does not divide among the ranks: take a divisor of {}", size, key, one.size,
                             one.size));
        else if (!one.evenly && one.size < size)
            complain(
                kKey, {key},
                Message("{}: {} ({}) is less than one for each rank: take at most {}", size, key, one.size, one.size));
    }
}

}  // namespace trainyard::config
