// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/pipeline/check_schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace trainyard::pipeline {

namespace {

using enum ActionKind;

bool is_send(const Action& action) {
    return action.kind == send_forward || action.kind == send_backward;
}
bool is_receive(const Action& action) {
    return action.kind == receive_forward || action.kind == receive_backward;
}

/// The send that matches a receive, or the receive that matches a send.
Action other_end(const Action& action) {
    switch (action.kind) {
        case send_forward:
            return {receive_forward, action.stage + 1, action.micro_batch};
        case receive_forward:
            return {send_forward, action.stage - 1, action.micro_batch};
        case send_backward:
            return {receive_backward, action.stage - 1, action.micro_batch};
        default:
            return {send_backward, action.stage + 1, action.micro_batch};
    }
}

class ScheduleCheck {
  public:
    /// `of_computations`: the table has no messages and no reduces.
    explicit ScheduleCheck(const Schedule& schedule, bool of_computations = false)
        : schedule_(schedule), of_computations_(of_computations) {
        for (const RankActions& row : schedule.ranks) {
            RankActions& parts = rows_.emplace_back();
            for (const Action& action : row)
                for (const Action& part : parts_of(action))
                    if (part.kind != idle && part.kind != unshard && part.kind != reshard)
                        parts.push_back(part);
        }
    }

    std::vector<std::string> problems;

    /// False: further checks are not possible.
    bool check_shape() {
        auto stages = static_cast<std::size_t>(std::max(0, schedule_.stages));
        if (schedule_.stages < 1 || schedule_.micro_batches < 1 || schedule_.rank_of_stage.size() != stages) {
            problems.push_back("the table does not say on which rank each of its stages is");
            return false;
        }
        for (int rank : schedule_.rank_of_stage)
            if (rank < 0 || rank >= ranks())
                problems.push_back(fmt::format("a stage is on rank {}, and the table has {} ranks", rank, ranks()));
        for (int rank = 0; problems.empty() && rank < ranks(); ++rank)
            for (const Action& action : actions(rank))
                check_place(rank, action);
        return problems.empty();
    }

    void check_rank(int rank) {
        for (std::size_t i = 0; i < actions(rank).size(); ++i) {
            const Action& action = actions(rank)[i];
            if (!where_.emplace(key(action), std::pair(rank, i)).second)
                problems.push_back(fmt::format("{} is there twice on rank {}", to_text(action), rank));
            trains_ = trains_ || action.kind == backward || action.kind == backward_input;
        }
    }

    void check_stage(int stage) {
        for (int i = 0; i < schedule_.micro_batches; ++i) {
            need({forward, stage, i});
            if (!trains_)
                continue;
            bool whole = has({backward, stage, i}), input = has({backward_input, stage, i}),
                 weight = has({backward_weight, stage, i});
            if (whole ? input || weight : !(input && weight))
                problems.push_back(fmt::format("stage {} has no whole backward of micro-batch {}", stage, i));
            Action back{whole ? backward : backward_input, stage, i};
            before({forward, stage, i}, back);
            before(back, {backward_weight, stage, i});
            before({backward, stage, i}, {reduce, stage});
            before({backward_weight, stage, i}, {reduce, stage});
            if (stage + 1 < schedule_.stages)
                check_edge({send_backward, stage + 1, i}, back_of(stage + 1, i), back);
        }
        if (trains_ && !of_computations_)
            need({reduce, stage});
        if (stage > 0)
            for (int i = 0; i < schedule_.micro_batches; ++i)
                check_edge({send_forward, stage - 1, i}, {forward, stage - 1, i}, {forward, stage, i});
    }

    /// Messages between two ranks must be received in the order in which they are sent.
    void check_messages() {
        std::map<std::pair<int, int>, std::pair<std::vector<Action>, std::vector<Action>>> between;
        for (int rank = 0; rank < ranks(); ++rank)
            for (const Action& action : actions(rank)) {
                if (is_send(action))
                    between[{rank, rank_of(other_end(action).stage)}].first.push_back(other_end(action));
                else if (is_receive(action))
                    between[{rank_of(other_end(action).stage), rank}].second.push_back(action);
            }
        for (const auto& [pair, messages] : between) {
            const auto& [sent, received] = messages;
            std::string place = fmt::format(" from rank {} to rank {}", pair.first, pair.second);
            if (sent.size() != received.size())
                problems.push_back(
                    fmt::format("{} messages are sent{} and {} received", sent.size(), place, received.size()));
            for (std::size_t i = 0; i < std::min(sent.size(), received.size()); ++i)
                if (!(sent[i] == received[i])) {
                    problems.push_back(fmt::format("message {}{} is for {} and is taken by {}", i + 1, place,
                                                   to_text(sent[i]), to_text(received[i])));
                    break;
                }
        }
    }

    /// Executes the schedule without computing. At this point every receive has a matching send.
    void check_progress(Sends sends) {
        std::vector<std::size_t> at(rows_.size(), 0);
        std::set<Key> sent;
        for (bool moved = true; moved;) {
            moved = false;
            for (int rank = 0; rank < ranks(); ++rank) {
                auto& position = at[static_cast<std::size_t>(rank)];
                while (position < actions(rank).size()) {
                    const Action& action = actions(rank)[position];
                    if (is_receive(action) && !sent.contains(key(other_end(action))))
                        break;
                    if (is_send(action)) {
                        sent.insert(key(action));
                        auto [other, index] = where_.at(key(other_end(action)));
                        if (sends == Sends::rendezvous && at[static_cast<std::size_t>(other)] < index)
                            break;
                    }
                    ++position;
                    moved = true;
                }
            }
        }
        std::string waiting;
        for (int rank = 0; rank < ranks(); ++rank) {
            std::size_t position = at[static_cast<std::size_t>(rank)];
            if (position < actions(rank).size())
                waiting += fmt::format("{}rank {} waits in {} for {}", (waiting.empty() ? "" : ", "), rank,
                                       to_text(actions(rank)[position]), to_text(other_end(actions(rank)[position])));
        }
        if (!waiting.empty())
            problems.push_back(fmt::format("the table blocks: {}", waiting));
    }

  private:
    using Key = std::tuple<ActionKind, int, int>;
    static Key key(const Action& action) { return {action.kind, action.stage, action.micro_batch}; }

    int ranks() const { return static_cast<int>(rows_.size()); }
    const RankActions& actions(int rank) const { return rows_[static_cast<std::size_t>(rank)]; }
    int rank_of(int stage) const { return schedule_.rank_of_stage[static_cast<std::size_t>(stage)]; }
    bool has(const Action& action) const { return where_.contains(key(action)); }
    Action back_of(int stage, int micro_batch) const {
        Action whole{backward, stage, micro_batch};
        return has(whole) ? whole : Action{backward_input, stage, micro_batch};
    }

    void check_place(int rank, const Action& action) {
        std::string text = fmt::format("{} on rank {}", to_text(action), rank);
        bool message = is_send(action) || is_receive(action);
        if (action.stage < 0 || action.stage >= schedule_.stages || action.micro_batch >= schedule_.micro_batches ||
            (action.micro_batch < 0) != (action.kind == reduce))
            problems.push_back(fmt::format("{} is of a stage or micro-batch that the table does not have", text));
        else if (rank_of(action.stage) != rank)
            problems.push_back(fmt::format("{} is of a stage that is on rank {}", text, rank_of(action.stage)));
        else if (of_computations_ && (message || action.kind == reduce))
            problems.push_back(fmt::format("{} is not a computation: messages and reductions are added later", text));
        else if (message && (other_end(action).stage < 0 || other_end(action).stage >= schedule_.stages))
            problems.push_back(fmt::format("{} has no stage at its other end", text));
        else if (message && rank_of(other_end(action).stage) == rank)
            problems.push_back(
                fmt::format("{} is a message of a rank to itself: neighbouring stages of one rank "
                            "need none",
                            text));
    }

    void need(const Action& action) {
        if (!has(action))
            problems.push_back(fmt::format("{} is missing", to_text(action)));
    }

    /// If both actions exist, the first must precede the second; both are on one rank.
    void before(const Action& first, const Action& second) {
        auto a = where_.find(key(first)), b = where_.find(key(second));
        if (a != where_.end() && b != where_.end() && a->second.second > b->second.second)
            problems.push_back(
                fmt::format("{} comes before {} on rank {}", to_text(second), to_text(first), a->second.first));
    }

    /// The result of `made` must be sent after `made` and received before `used`.
    void check_edge(const Action& send, const Action& made, const Action& used) {
        if (rank_of(made.stage) == rank_of(used.stage))
            return before(made, used);
        if (of_computations_)
            return;
        need(send);
        need(other_end(send));
        before(made, send);
        before(other_end(send), used);
    }

    const Schedule& schedule_;
    bool of_computations_;
    bool trains_ = false;
    std::vector<RankActions> rows_;                     ///< without overlap
    std::map<Key, std::pair<int, std::size_t>> where_;  ///< rank, and position in its row
};

}  // namespace

namespace {

/// `sends`: not of a table of computations.
std::vector<std::string> find_problems(const Schedule& schedule, std::optional<Sends> sends) {
    ScheduleCheck check(schedule, !sends);
    if (!check.check_shape())
        return check.problems;
    for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank)
        check.check_rank(rank);
    for (int stage = 0; stage < schedule.stages; ++stage)
        check.check_stage(stage);
    check.check_messages();
    if (sends && check.problems.empty())
        check.check_progress(*sends);
    return check.problems;
}

void refuse(const Schedule& schedule, std::optional<Sends> sends) {
    if (const std::vector<std::string> problems = find_problems(schedule, sends); !problems.empty())
        throw std::invalid_argument(
            fmt::format("the schedule {} cannot be executed: {}", schedule.name, fmt::join(problems, "; ")));
}

}  // namespace

std::vector<std::string> schedule_problems(const Schedule& schedule, Sends sends) {
    return find_problems(schedule, sends);
}

void check_schedule(const Schedule& schedule, Sends sends) {
    refuse(schedule, sends);
}

void check_table(const Schedule& table) {
    refuse(table, {});
}

}  // namespace trainyard::pipeline
