// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/expert_checks.h"

#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

std::int64_t experts_of(const ModelRecipe& model) {
    if (families::family_of(model).network() != families::Network::decoder)
        return 0;
    return families::decoder_options(model).experts;
}

}  // namespace

void check_experts(const Recipe& recipe, const ReportProblem& complain) {
    const char* key = "parallel.ep_size";
    const ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t size = parallel.ep_size, experts = experts_of(recipe.model);
    if (experts == 0)
        return complain(key, {"model.model_type"},
                        Message("{}: ranks divide the experts of a model among themselves, and {} has none: set it to "
                                "1, or take a model with experts, such as mixtral",
                                size, recipe.model.model_type));
    if (experts % size != 0)
        complain(key, {"model.num_local_experts"},
                 Message("{}: {} experts do not divide among the ranks: take a divisor of {}", size, experts, experts));
    const auto refuse = [&](bool asked, const char* other, const Message& instead) {
        if (asked)
            complain(
                other, {key},
                Message("does not go with experts divided among ranks (parallel.ep_size is {}): {}", size, instead));
    };
    refuse(parallel.zero_stage > 0, "parallel.zero_stage", "set it to 0, or parallel.ep_size to 1");
    refuse(parallel.pp_size > 1, "parallel.pp_size", "set one of them to 1");
    refuse(parallel.tp_size > 1, "parallel.tp_size", "set one of them to 1");
    refuse(parallel.comm_hook != CommHookType::no, "parallel.comm_hook", "set it to no");
    refuse(parallel.check_reduction, "parallel.check_reduction", "set it to no");
    refuse(!parallel.find_unused_parameters, "parallel.find_unused_parameters",
           "an expert that no token is sent to has no gradient; leave it out");
    refuse(recipe.training.local_sgd_steps > 0, "training.local_sgd_steps", "set it to 0");
    refuse(recipe.health.divergence_every > 0, "health.divergence_every", "set it to 0");
    refuse(recipe.logging.histograms_every > 0, "logging.histograms_every", "set it to 0");
    refuse(recipe.generation.every > 0, "generation.every",
           "samples need the whole model on one rank; set it to 0 and use trainyard generate");
    refuse(recipe.model.lora.r > 0, "lora.r", "adapters are on every rank; set parallel.ep_size to 1");
    refuse(!recipe.model.device_map.empty(), "model.device_map", "leave one of them out");
}

}  // namespace trainyard::config
