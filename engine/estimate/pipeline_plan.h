#pragma once
// What a recipe's pipeline will do, before anything starts: which blocks each stage has, how long the ranks stand idle, how many micro-batches
// each one keeps.

#include <string>
#include <vector>

#include "config/recipe.h"
#include "pipeline/split.h"

namespace trainyard::estimate {

struct PipelinePlan {
    std::vector<pipeline::StageBlocks> stages;
    double bubble = 0;  ///< share of all ranks' time in a step that nothing is computed in, messages not counted
    std::vector<int> kept_micro_batches;  ///< of each stage: activations of so many micro-batches at once
};

/// For parallel.pp_size stages and training.gradient_accumulation_steps micro-batches. A backward counts as two forwards. Throws UserError
/// when there are more stages than blocks.
PipelinePlan plan_pipeline(const config::Recipe& recipe);

/// A line for people: "1F1B over 2 stages (blocks 0-1, 2-3), 4 micro-batches: idle for 20 % of a step, keeps up to 2 micro-batches".
std::string to_text(const PipelinePlan& plan, const config::Recipe& recipe);

}  // namespace trainyard::estimate
