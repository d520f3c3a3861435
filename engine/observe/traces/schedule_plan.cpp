// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/schedule_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/number.h"

namespace trainyard::traces {

namespace {

struct ScheduleAction {
    std::uint32_t slice = 0;
    char kind = 'F';  ///< F, B, I, W
    int stage = 0, micro_batch = 0, replica = 0;
    std::int64_t begin = 0, duration = 0;  ///< measured, on the common clock
    std::optional<std::int64_t> end;       ///< planned
};

/// Returns whether the action proves that the pipeline has several stages: it belongs to a later stage, or is a message
/// between two stages.
bool shows_stages(std::string_view name) {
    const auto stage = take_number<int>(name);
    return stage && (*stage > 0 || name.starts_with("SEND_") || name.starts_with("RECV_"));
}

/// "3F12"; nothing for messages, reductions and updates, which no micro-batch waits for here.
bool parse_action(std::string_view name, ScheduleAction& action) {
    const auto stage = take_number<int>(name);
    if (!stage || name.empty() || std::string_view("FBIW").find(name.front()) == std::string_view::npos)
        return false;
    const auto micro_batch = parse_number<int>(name.substr(1));
    action.stage = *stage;
    action.kind = name.front();
    action.micro_batch = micro_batch.value_or(0);
    return micro_batch.has_value();
}

/// Plans the schedule of one step.
class StepPlanner {
  public:
    using Key = std::tuple<char, int, int, int>;  ///< kind (I and B are one), stage, micro-batch, replica

    explicit StepPlanner(std::vector<std::vector<ScheduleAction>> ranks) : ranks_(std::move(ranks)) {
        number_replicas();
        for (std::vector<ScheduleAction>& actions : ranks_)
            for (ScheduleAction& action : actions) {
                by_key_[key(action.kind, action.stage, action)] = &action;
                const auto [cost, added] = costs_.try_emplace({action.kind, action.stage}, action.duration);
                cost->second = added ? action.duration : std::min(cost->second, action.duration);
            }
    }

    PlannedStep plan(std::int64_t number, std::vector<std::vector<PlannedAction>>& into) {
        PlannedStep step;
        step.number = number;
        bool any = false;
        std::int64_t measured_busy = 0, planned_busy = 0, taking_part = 0;
        for (const auto& actions : ranks_) {
            taking_part += actions.empty() ? 0 : 1;
            for (const ScheduleAction& action : actions) {
                step.measured.begin = any ? std::min(step.measured.begin, action.begin) : action.begin;
                step.measured.end =
                    any ? std::max(step.measured.end, action.begin + action.duration) : action.begin + action.duration;
                any = true;
                measured_busy += action.duration;
                planned_busy += cost_of(action);
            }
        }
        step.planned = {step.measured.begin, step.measured.begin};
        run(step.measured.begin, into, step.planned.end);
        const auto bubble = [taking_part](const Span& span, std::int64_t busy) {
            const double all = static_cast<double>(span.end - span.begin) * static_cast<double>(taking_part);
            return all > 0 ? std::clamp(1 - static_cast<double>(busy) / all, 0.0, 1.0) : 0;
        };
        step.measured_bubble = bubble(step.measured, measured_busy);
        step.planned_bubble = bubble(step.planned, planned_busy);
        return step;
    }

  private:
    /// Ranks with the same stage are copies of the pipeline: the first of one stage works with the first of the next.
    void number_replicas() {
        std::map<int, int> known;  // by stage
        for (std::vector<ScheduleAction>& actions : ranks_) {
            std::map<int, int> own;
            for (ScheduleAction& action : actions) {
                const auto [found, added] = own.try_emplace(action.stage, 0);
                if (added)
                    found->second = known[action.stage]++;
                action.replica = found->second;
            }
        }
    }
    static Key key(char kind, int stage, const ScheduleAction& of) {
        return {kind == 'I' ? 'B' : kind, stage, of.micro_batch, of.replica};
    }
    std::int64_t cost_of(const ScheduleAction& action) const { return costs_.at({action.kind, action.stage}); }

    /// When what this action needs is over; nothing while that is not planned yet.
    std::optional<std::int64_t> ready(const ScheduleAction& action, std::int64_t begin) const {
        std::int64_t at = begin;
        const auto needs = [&](char kind, int stage) {
            const auto found = by_key_.find(key(kind, stage, action));
            if (found == by_key_.end() || found->second == &action)
                return true;
            if (!found->second->end)
                return false;
            at = std::max(at, *found->second->end);
            return true;
        };
        bool known = true;
        if (action.kind == 'F')
            known = needs('F', action.stage - 1);
        else if (action.kind == 'W')
            known = needs('B', action.stage);
        else
            known = needs('F', action.stage) && needs('B', action.stage + 1);
        return known ? std::optional(at) : std::nullopt;
    }

    void run(std::int64_t begin, std::vector<std::vector<PlannedAction>>& into, std::int64_t& last) {
        std::vector<std::size_t> next(ranks_.size(), 0);
        std::vector<std::int64_t> free(ranks_.size(), begin);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
                while (next[rank] < ranks_[rank].size()) {
                    ScheduleAction& action = ranks_[rank][next[rank]];
                    const auto at = ready(action, begin);
                    if (!at)
                        break;
                    const std::int64_t from = std::max(free[rank], *at);
                    action.end = free[rank] = from + cost_of(action);
                    last = std::max(last, *action.end);
                    into[rank].push_back({action.slice, {from, *action.end}});
                    ++next[rank];
                    moved = true;
                }
        }
    }

    std::vector<std::vector<ScheduleAction>> ranks_;
    std::map<Key, ScheduleAction*> by_key_;
    std::map<std::pair<char, int>, std::int64_t> costs_;  ///< by kind and stage
};

}  // namespace

SchedulePlan plan_of(const RankSet& set) {
    std::map<std::int64_t, std::vector<std::vector<ScheduleAction>>> steps;
    bool has_stages = false;
    for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
        const RankTrace& one = set.ranks[rank];
        const Trace& trace = *one.trace;
        const auto category = trace.categories.find("action");
        if (!category)
            continue;
        std::vector<ScheduleAction> actions;
        for (std::uint32_t i = 0; i < trace.slices.size(); ++i) {
            const Slice& slice = trace.slices[i];
            if (slice.category != *category)
                continue;
            has_stages = has_stages || shows_stages(trace.name(slice));
            ScheduleAction action;
            if (!parse_action(trace.name(slice), action))
                continue;
            action.slice = i;
            action.begin = slice.begin + one.offset;
            action.duration = slice.duration;
            actions.push_back(action);
        }
        std::stable_sort(actions.begin(), actions.end(),
                         [](const ScheduleAction& a, const ScheduleAction& b) { return a.begin < b.begin; });
        for (const ScheduleAction& action : actions) {
            const std::int64_t middle = action.begin - one.offset + action.duration / 2;
            for (const Step& step : trace.steps)
                if (step.begin <= middle && middle < step.end) {
                    auto& ranks = steps[step.number];
                    ranks.resize(set.ranks.size());
                    ranks[rank].push_back(action);
                    break;
                }
        }
    }
    SchedulePlan plan;
    plan.ranks.resize(set.ranks.size());
    if (!has_stages)
        return plan;  // micro-batches one after the other: nothing waits for another stage
    for (auto& [number, ranks] : steps)
        plan.steps.push_back(StepPlanner(std::move(ranks)).plan(number, plan.ranks));
    for (std::vector<PlannedAction>& actions : plan.ranks)
        std::stable_sort(actions.begin(), actions.end(), [](const PlannedAction& a, const PlannedAction& b) {
            return a.planned.begin < b.planned.begin;
        });
    return plan;
}

}  // namespace trainyard::traces
