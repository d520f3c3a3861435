#include "distributed/pipeline/simulator.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "distributed/pipeline/check_schedule.h"

namespace trainyard::pipeline {

namespace {

double seconds_of(ActionKind kind, const StageTimes& times) {
    switch (kind) {
        case ActionKind::forward:
            return times.forward;
        case ActionKind::backward:
            return times.backward_input + times.backward_weight;
        case ActionKind::backward_input:
            return times.backward_input;
        case ActionKind::backward_weight:
            return times.backward_weight;
        default:
            return 0;
    }
}

}  // namespace

Simulation simulate(const Schedule& schedule, const std::vector<StageTimes>& times, double message_seconds) {
    using enum ActionKind;
    check_schedule(schedule);
    if (times.size() != static_cast<std::size_t>(schedule.stages))
        throw std::invalid_argument("the times are of " + std::to_string(times.size()) + " stages, the schedule has " +
                                    std::to_string(schedule.stages));
    Simulation result;
    result.ranks.resize(schedule.ranks.size());
    std::vector<std::size_t> at(schedule.ranks.size(), 0);
    std::vector<double> clock(schedule.ranks.size(), 0);
    std::vector<int> kept(schedule.ranks.size(), 0);
    std::map<std::tuple<ActionKind, int, int>, double> arrives;  // by receiving action
    const bool trains =
        std::ranges::any_of(schedule.ranks[0], [](const Action& action) { return action.kind == update; });
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < at.size(); ++rank) {
            SimulatedRank& own = result.ranks[rank];
            for (; at[rank] < schedule.ranks[rank].size(); ++at[rank], moved = true) {
                const Action& action = schedule.ranks[rank][at[rank]];
                if (action.kind >= reduce)
                    continue;
                double begin = clock[rank];
                if (action.kind == receive_forward || action.kind == receive_backward) {
                    auto arrival = arrives.find({action.kind, action.stage, action.micro_batch});
                    if (arrival == arrives.end())
                        break;
                    clock[rank] = std::max(begin, arrival->second);
                } else if (action.kind == send_forward) {
                    arrives[{receive_forward, action.stage + 1, action.micro_batch}] = begin + message_seconds;
                } else if (action.kind == send_backward) {
                    arrives[{receive_backward, action.stage - 1, action.micro_batch}] = begin + message_seconds;
                }
                double seconds = seconds_of(action.kind, times[static_cast<std::size_t>(action.stage)]);
                clock[rank] += seconds;
                own.busy += seconds;
                own.timeline.push_back({action, begin, clock[rank]});
                if (action.kind == forward && trains)
                    own.peak_activations = std::max(own.peak_activations, ++kept[rank]);
                if (action.kind == backward || action.kind == backward_weight)
                    --kept[rank];
            }
        }
    }
    result.seconds = *std::max_element(clock.begin(), clock.end());
    double busy = 0;
    for (SimulatedRank& rank : result.ranks) {
        rank.bubble = result.seconds > 0 ? 1 - rank.busy / result.seconds : 0;
        busy += rank.busy;
    }
    result.bubble = result.seconds > 0 ? 1 - busy / (result.seconds * static_cast<double>(result.ranks.size())) : 0;
    return result;
}

}  // namespace trainyard::pipeline
