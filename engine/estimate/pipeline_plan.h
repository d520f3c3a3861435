// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Predicts a recipe's pipeline before the start: the blocks of each stage, the idle time of ranks (bubble), the
// micro-batches whose activations each stage keeps.

#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "distributed/pipeline/stage_blocks.h"

namespace trainyard::estimate {

struct PipelinePlan {
    std::vector<pipeline::StageBlocks> stages;
    double bubble = 0;                    ///< idle share of the ranks' time in a step, without communication
    std::vector<int> kept_micro_batches;  ///< by rank: micro-batches whose activations exist at the same time
};

/// For the stages of parallel.pp_size ranks and training.gradient_accumulation_steps micro-batches. A backward counts
/// as two forwards. Throws UserError if there are more stages than blocks, and for micro-batches that the schedule
/// cannot take.
PipelinePlan plan_pipeline(const config::Recipe& recipe);

/// A line of text: "1F1B over 2 stages (blocks 0-1, 2-3), 4 micro-batches: idle for 20 % of a step, keeps up to 2
/// micro-batches".
Message to_text(const PipelinePlan& plan, const config::Recipe& recipe);

}  // namespace trainyard::estimate
