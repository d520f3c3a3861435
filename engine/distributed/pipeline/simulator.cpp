// SPDX-License-Identifier: GPL-3.0-or-later
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
    if (times.size() != static_cast<std::size_t>(schedule.stages))
        throw std::invalid_argument("the times are of " + std::to_string(times.size()) + " stages, the schedule has " +
                                    std::to_string(schedule.stages));
    return simulate(
        schedule,
        [&](const Action& action) { return seconds_of(action.kind, times[static_cast<std::size_t>(action.stage)]); },
        message_seconds);
}

Simulation simulate(const Schedule& schedule, const std::function<double(const Action&)>& seconds,
                    double message_seconds) {
    using enum ActionKind;
    check_schedule(schedule);
    std::vector<RankActions> rows;
    bool trains = false;
    for (const RankActions& row : schedule.ranks) {
        RankActions& parts = rows.emplace_back();
        for (const Action& action : row)
            for (const Action& part : parts_of(action))
                if (part.micro_batch >= 0) {
                    parts.push_back(part);
                    trains = trains || part.kind == backward || part.kind == backward_input;
                }
    }
    Simulation result;
    result.ranks.resize(rows.size());
    std::vector<std::size_t> at(rows.size(), 0);
    std::vector<double> clock(rows.size(), 0);
    std::vector<int> kept(rows.size(), 0);
    std::map<std::tuple<ActionKind, int, int>, double> arrives;  // by receiving action
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < at.size(); ++rank) {
            SimulatedRank& own = result.ranks[rank];
            for (; at[rank] < rows[rank].size(); ++at[rank], moved = true) {
                const Action& action = rows[rank][at[rank]];
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
                const double own_seconds = seconds(action);
                clock[rank] += own_seconds;
                own.busy += own_seconds;
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
