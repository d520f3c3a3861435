// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/pipeline/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
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
    return simulate(schedule, seconds, message_seconds, nullptr);
}

Simulation simulate(const Schedule& schedule, const std::function<double(const Action&)>& seconds,
                    double message_seconds, const Speed& speed) {
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
    const std::size_t ranks = rows.size();
    result.ranks.resize(ranks);
    std::vector<std::size_t> at(ranks, 0);
    std::vector<double> clock(ranks, 0);                                 // end of the last action
    std::vector<double> begin(ranks, 0), end(ranks, 0), left(ranks, 0);  // of the current computation; left at speed 1
    std::vector<bool> computing(ranks, false);
    std::vector<int> kept(ranks, 0);
    std::map<std::tuple<ActionKind, int, int>, double> arrives;  // by receiving action
    double now = 0;
    const auto complete = [&](std::size_t rank) {
        SimulatedRank& own = result.ranks[rank];
        const Action& action = rows[rank][at[rank]++];
        own.timeline.push_back({action, clock[rank], now});
        clock[rank] = now;
        if (action.kind == forward && trains)
            own.peak_activations = std::max(own.peak_activations, ++kept[rank]);
        if (action.kind == backward || action.kind == backward_weight)
            --kept[rank];
    };
    for (;;) {
        double next = std::numeric_limits<double>::infinity();
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < ranks; ++rank)
                for (; !computing[rank] && at[rank] < rows[rank].size(); moved = true) {
                    const Action& action = rows[rank][at[rank]];
                    if (action.kind == receive_forward || action.kind == receive_backward) {
                        const auto arrival = arrives.find({action.kind, action.stage, action.micro_batch});
                        if (arrival == arrives.end())
                            break;
                        if (arrival->second > now) {
                            next = std::min(next, arrival->second);
                            break;
                        }
                    } else if (action.kind == send_forward) {
                        arrives[{receive_forward, action.stage + 1, action.micro_batch}] = now + message_seconds;
                    } else if (action.kind == send_backward) {
                        arrives[{receive_backward, action.stage - 1, action.micro_batch}] = now + message_seconds;
                    }
                    begin[rank] = now;
                    left[rank] = seconds(action);
                    end[rank] = now + left[rank];
                    if (left[rank] > 0)
                        computing[rank] = true;
                    else
                        complete(rank);
                }
        }
        std::vector<double> speeds(ranks, 1);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (!computing[rank])
                continue;
            if (speed) {
                speeds[rank] = speed(computing, rank);
                end[rank] = now + left[rank] / speeds[rank];
            }
            next = std::min(next, end[rank]);
        }
        if (!std::isfinite(next))
            break;
        const double passed = next - now;
        now = next;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (!computing[rank])
                continue;
            left[rank] -= passed * speeds[rank];
            if (end[rank] > now)
                continue;
            computing[rank] = false;
            result.ranks[rank].busy += now - begin[rank];
            complete(rank);
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
