// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The schedule of a pipeline as it would have gone without waits, beside what was measured: the actions that each rank has made in a step (`0F1`: forward of
// micro-batch 1 on stage 0), in the order in which it has made them, each as long as the shortest of its stage and kind in that step, none before those
// that it needs. Names of actions and what they need: torch.distributed.pipelining (arXiv 2401.10241 for separate backwards, I and W).

#include <cstdint>
#include <vector>

#include "observe/traces/rank_set.h"

namespace trainyard::traces {

struct PlannedAction {
    std::uint32_t slice = 0;  ///< of the rank's trace
    Span planned;             ///< ns of the common clock
};

struct PlannedStep {
    std::int64_t number = 0;
    Span measured, planned;                          ///< from the first action of all ranks to the end of the last one
    double measured_bubble = 0, planned_bubble = 0;  ///< part of ranks x time in which no action computed, 0 to 1
};

struct SchedulePlan {
    std::vector<std::vector<PlannedAction>> ranks;  ///< of each rank of the set, by begin
    std::vector<PlannedStep> steps;
    bool empty() const { return steps.empty(); }
};

/// Empty where the traces have no actions of micro-batches, or all of them are of a model that is not divided into stages. An action whose neighbour is in none of the traces does not wait for it.
SchedulePlan plan_of(const RankSet& set);

}  // namespace trainyard::traces
