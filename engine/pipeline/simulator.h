#pragma once
// Plays a table of actions with given times: how long a step takes, how long each rank stands idle (the bubble), and how many
// micro-batches' activations it keeps at most.

#include <vector>

#include "pipeline/schedule.h"

namespace trainyard::pipeline {

/// Seconds of each stage's actions, of one micro-batch. `backward` takes the sum of its two parts.
struct StageTimes {
    double forward = 1;
    double backward_input = 1;
    double backward_weight = 1;
};

struct TimedAction {
    Action action;
    double begin = 0;
    double end = 0;
};

struct SimulatedRank {
    double busy = 0;                    ///< seconds of computing
    double bubble = 0;                  ///< share of the step that it does not compute
    int peak_activations = 0;           ///< most micro-batches (of each of its stages) kept for backward at once
    std::vector<TimedAction> timeline;  ///< of everything but reduce and update
};

struct Simulation {
    double seconds = 0;  ///< from the first action to the last
    double bubble = 0;   ///< share of all ranks' time that nothing is computed in
    std::vector<SimulatedRank> ranks;
};

/// `times`: one for each stage. A message takes `message_seconds`, and its sender no time. Throws std::invalid_argument for a table that
/// check_schedule() refuses.
Simulation simulate(const Schedule& schedule, const std::vector<StageTimes>& times, double message_seconds = 0);

}  // namespace trainyard::pipeline
