// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Simulates a schedule with given times: the duration of a step, the idle time of each rank (the bubble), and the
// maximum number of micro-batches whose activations it keeps.

#include <functional>
#include <vector>

#include "distributed/pipeline/pipeline_schedule.h"

namespace trainyard::pipeline {

/// Seconds of a stage's actions for one micro-batch. `backward` takes the sum of its two parts.
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
    double busy = 0;    ///< seconds of computation
    double bubble = 0;  ///< idle fraction of the step
    /// Maximum number of forwards (over all its stages) whose activations are kept for backward.
    int peak_activations = 0;
    std::vector<TimedAction> timeline;  ///< computations and messages
};

struct Simulation {
    double seconds = 0;  ///< from the start of the first action to the end of the last
    double bubble = 0;   ///< idle fraction of the time of all ranks
    std::vector<SimulatedRank> ranks;
};

/// `times`: one per stage. A message takes `message_seconds` and does not block its sender. Throws
/// std::invalid_argument for a schedule that check_schedule() refuses.
Simulation simulate(const Schedule& schedule, const std::vector<StageTimes>& times, double message_seconds = 0);
/// How fast a rank is while some ranks compute (true) and the others wait: 1, or less where ranks share processors.
using Speed = std::function<double(const std::vector<bool>& computing, std::size_t rank)>;
/// The same for computations whose seconds are those at speed 1. The speeds change when a rank begins or ends one.
Simulation simulate(const Schedule& schedule, const std::function<double(const Action&)>& seconds,
                    double message_seconds, const Speed& speed);
/// The same with the seconds that each computation and each end of a message takes on its rank.
Simulation simulate(const Schedule& schedule, const std::function<double(const Action&)>& seconds,
                    double message_seconds = 0);

}  // namespace trainyard::pipeline
