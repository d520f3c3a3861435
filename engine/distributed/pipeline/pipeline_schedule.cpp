// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/pipeline/pipeline_schedule.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "distributed/pipeline/check_schedule.h"

namespace trainyard::pipeline {

namespace {

using enum ActionKind;

/// Appends the actions of a rank; each kind of action of a stage takes the micro-batches in order.
class Row {
  public:
    RankActions actions;

    void idle(int steps) { actions.resize(actions.size() + static_cast<std::size_t>(std::max(0, steps))); }
    void add(ActionKind kind, int stage) { actions.push_back(next(kind, stage)); }
    void overlap(int forward_stage, int backward_stage) {
        Action both{ActionKind::overlap};
        both.parts = {next(forward, forward_stage), next(backward, backward_stage)};
        actions.push_back(std::move(both));
    }
    int count(ActionKind kind, int stage) { return counts_[{kind, stage}]; }

  private:
    /// A whole backward counts as both of its halves.
    Action next(ActionKind kind, int stage) {
        if (kind != backward)
            return {kind, stage, counts_[{kind, stage}]++};
        ++counts_[{backward_weight, stage}];
        return {kind, stage, counts_[{backward_input, stage}]++};
    }
    std::map<std::pair<ActionKind, int>, int> counts_;
};

int first_stage_of_round(const PipelineSize& size, int rank, int local) {
    return local * size.ranks + rank;
}

/// All forwards, stage by stage, then all backwards.
RankActions breadth_first_row(const PipelineSize& size, int rank, bool reverses_micro_batches) {
    Row row;
    row.idle(rank);
    for (int local = 0; local < size.stages_per_rank; ++local)
        for (int i = 0; i < size.micro_batches; ++i)
            row.add(forward, first_stage_of_round(size, rank, local));
    row.idle(2 * (size.ranks - 1 - rank));
    for (int local = size.stages_per_rank; local-- > 0;)
        for (int i = 0; i < size.micro_batches; ++i)
            row.actions.push_back({backward, first_stage_of_round(size, rank, local),
                                   reverses_micro_batches ? size.micro_batches - 1 - i : i});
    return row.actions;
}

/// The stages of a rank take turns after this many micro-batches: about as many as there are ranks.
int micro_batches_per_round(const PipelineSize& size) {
    return size.micro_batches / std::max(1, size.micro_batches / size.ranks);
}

/// A warm-up of forwards, `ahead` more for each rank after this one, then a forward and a backward alternately. With
/// `splits`, backwards for weights are separate; later ranks postpone them longer, because they keep fewer
/// micro-batches.
RankActions alternating_row(const PipelineSize& size, int rank, int ahead, bool splits) {
    const int per_rank = size.stages_per_rank, per_round = micro_batches_per_round(size);
    const int all = per_rank * size.micro_batches, later_ranks = size.ranks - 1 - rank;
    const int warm_up = std::min(all, (per_rank - 1) * per_round + ahead * later_ranks);
    const auto local = [&](int i) { return i / per_round % per_rank; };
    const auto forward_stage = [&](int i) { return first_stage_of_round(size, rank, local(i)); };
    const auto backward_stage = [&](int i) { return first_stage_of_round(size, rank, per_rank - 1 - local(i)); };
    Row row;
    row.idle(rank);
    int weights = 0;
    for (int i = 0; i < warm_up; ++i)
        row.add(forward, forward_stage(i));
    if (warm_up > 0)
        row.idle(splits ? later_ranks : per_rank * size.ranks + 2 * later_ranks - warm_up - rank);
    for (int i = 0; i < all; ++i) {
        if (warm_up + i < all)
            row.add(forward, forward_stage(warm_up + i));
        else if (!splits)
            row.idle(1);
        row.add(splits ? backward_input : backward, backward_stage(i));
        if (splits && i >= rank)
            row.add(backward_weight, backward_stage(weights++));
    }
    while (splits && weights < all)
        row.add(backward_weight, backward_stage(weights++));
    return row.actions;
}

/// Stage `rank` and the one at the other end of the V.
std::pair<int, int> stages_of_v(const PipelineSize& size, int rank) {
    return {rank, 2 * size.ranks - 1 - rank};
}

/// ZB-V. Few micro-batches are filled up with others, which are removed again.
RankActions zero_bubble_v_row(const PipelineSize& size, int rank) {
    const auto [first, second] = stages_of_v(size, rank);
    const int micro_batches = std::max(2 * size.ranks - 1, size.micro_batches);
    Row row;
    const auto forward_and_backward = [&row, second = second] {
        for (ActionKind kind : {forward, backward_input, backward_weight})
            row.add(kind, second);
    };
    row.idle(rank);
    for (int i = 0; i < 2 * (size.ranks - rank) - 1; ++i)
        row.add(forward, first);
    for (int i = 0; i < rank; ++i) {
        row.add(forward, second);
        row.add(forward, first);
    }
    for (int i = 0; i < size.ranks - rank; ++i)
        forward_and_backward();
    while (row.count(forward, second) < row.count(forward, first) || row.count(forward, first) < micro_batches) {
        if (row.count(forward, first) < micro_batches)
            row.add(forward, first);
        row.add(backward_input, first);
        row.add(backward_weight, first);
        forward_and_backward();
    }
    for (int i = 0; i < rank; ++i) {
        row.add(backward_input, first);
        row.add(backward_input, second);
    }
    for (int i = 0; i < size.ranks - rank; ++i) {
        row.add(backward_input, first);
        row.add(backward_weight, first);
    }
    for (int stage : {second, first})
        while (row.count(backward_weight, stage) < row.count(backward_input, stage))
            row.add(backward_weight, stage);
    for (Action& action : row.actions)
        if (action.micro_batch >= size.micro_batches)
            action = {};
    return row.actions;
}

RankActions dual_pipe_v_row(const PipelineSize& size, int rank) {
    const auto [first, second] = stages_of_v(size, rank);
    const int later_ranks = size.ranks - 1 - rank;
    Row row;
    std::deque<int> postponed;  // stages whose backward for weights is not done
    const auto add_backward = [&](int stage, bool splits) {
        row.add(splits ? backward_input : backward, stage);
        if (splits)
            postponed.push_back(stage);
    };
    const auto add_weights = [&] {
        if (postponed.empty())
            return;
        row.add(backward_weight, postponed.front());
        postponed.pop_front();
    };
    for (int i = 0; i < 2 * later_ranks; ++i)
        row.add(forward, first);
    for (int i = 0; i < rank + 1; ++i) {
        row.add(forward, first);
        row.add(forward, second);
    }
    for (int i = 0; i < later_ranks; ++i) {
        add_backward(second, true);
        add_weights();
        row.add(forward, second);
    }
    for (int i = 0; i < size.micro_batches - 2 * size.ranks + rank + 1; ++i) {
        if (i == 0 && later_ranks == 0) {  // apart, so that the backward begins earlier
            row.add(forward, first);
            add_backward(second, false);
        } else {
            row.overlap(first, second);
        }
        row.overlap(second, first);
    }
    for (int i = 0; i < later_ranks; ++i) {
        add_backward(second, false);
        row.overlap(second, first);
    }
    bool splits = false;
    for (int i = 0; i < rank + 1; ++i) {
        const bool middle = i == (rank + 1) / 2;
        splits = splits || (middle && rank % 2 == 1);
        add_backward(second, splits);
        splits = splits || (middle && rank % 2 == 0);
        add_backward(first, splits);
    }
    for (int i = 0; i < later_ranks; ++i) {
        add_weights();
        add_backward(first, splits);
    }
    for (int i = 0; i < rank + 1; ++i)
        add_weights();
    return row.actions;
}

/// Idle time steps where a forward's input does not exist yet.
void insert_idle_steps(std::vector<RankActions>& rows) {
    std::set<std::pair<int, int>> done, doing;  // stage and micro-batch of forwards
    std::vector<RankActions> result(rows.size());
    std::vector<std::size_t> at(rows.size(), 0);
    for (bool moved = true; moved; done.merge(doing)) {
        moved = false;
        for (std::size_t rank = 0; rank < rows.size(); ++rank) {
            if (at[rank] == rows[rank].size())
                continue;
            moved = true;
            const Action& action = rows[rank][at[rank]];
            if (action.kind == forward && action.stage > 0 && !done.contains({action.stage - 1, action.micro_batch})) {
                result[rank].emplace_back();
                continue;
            }
            if (action.kind == forward)
                doing.emplace(action.stage, action.micro_batch);
            result[rank].push_back(action);
            ++at[rank];
        }
    }
    rows = std::move(result);
}

enum class Placement { loop, v };

struct ScheduleKind {
    const char* name;
    int least_stages, most_stages;  ///< per rank; 0: any number
    Placement placement;
    RankActions (*row)(const PipelineSize& size, int rank);
    bool takes_rounds = false;    ///< micro-batches must be a multiple of the rounds
    bool fills_pipeline = false;  ///< as many micro-batches as stages at least
    bool inserts_idle_steps = false;
};

constexpr ScheduleKind kSchedules[] = {
    // Huang et al., "GPipe", 2019: all forwards, then all backwards.
    {"GPipe", 1, 1, Placement::loop,
     [](const PipelineSize& size, int rank) { return breadth_first_row(size, rank, false); }},
    // Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021. Each
    // stage keeps the activations of at most as many micro-batches as there are stages from it to the last one.
    {"1F1B", 1, 1, Placement::loop,
     [](const PipelineSize& size, int rank) { return alternating_row(size, rank, 1, false); }},
    // Qi et al., "Zero bubble pipeline parallelism", 2024: ZB-H1.
    {"ZBH1", 1, 1, Placement::loop,
     [](const PipelineSize& size, int rank) { return alternating_row(size, rank, 1, true); }},
    // Narayanan et al., 2021.
    {"Interleaved1F1B", 1, 0, Placement::loop,
     [](const PipelineSize& size, int rank) { return alternating_row(size, rank, 2, false); }, true},
    // Qi et al., 2024: ZB1P.
    {"InterleavedZeroBubble", 1, 0, Placement::loop,
     [](const PipelineSize& size, int rank) { return alternating_row(size, rank, 1, true); }, true, false, true},
    // Lamy-Poirier, "Breadth-first pipeline parallelism", 2022.
    {"LoopedBFS", 1, 0, Placement::loop,
     [](const PipelineSize& size, int rank) { return breadth_first_row(size, rank, true); }},
    // Qi et al., 2024, section 6.
    {"ZBVZeroBubble", 2, 2, Placement::v, zero_bubble_v_row},
    // DeepSeek-AI, DualPipe, 2025, cut in half.
    {"DualPipeV", 2, 2, Placement::v, dual_pipe_v_row, false, true},
};

const ScheduleKind& find_kind(std::string_view name) {
    for (const ScheduleKind& kind : kSchedules)
        if (kind.name == name)
            return kind;
    throw std::invalid_argument(
        fmt::format("'{}' is not a pipeline schedule: there are {}", name, fmt::join(schedule_names(), ", ")));
}

Schedule empty_schedule(std::string name, std::vector<int> rank_of_stage, int micro_batches) {
    Schedule schedule{
        std::move(name), static_cast<int>(rank_of_stage.size()), micro_batches, std::move(rank_of_stage), {}};
    schedule.ranks.resize(static_cast<std::size_t>(*std::ranges::max_element(schedule.rank_of_stage)) + 1);
    return schedule;
}

/// Stages of the next computations, each once, in order; `most` of them.
std::vector<int> next_stages(const RankActions& row, std::size_t from, std::size_t most) {
    std::vector<int> stages;
    for (std::size_t i = from; i < row.size() && stages.size() < most; ++i)
        for (const Action& part : parts_of(row[i]))
            if (part.stage >= 0 && std::ranges::find(stages, part.stage) == stages.end())
                stages.push_back(part.stage);
    return stages;
}

/// The computations of a row, with a `reduce` after the last backward of a stage and, with `gathers`, the weights of
/// three stages gathered ahead.
RankActions prepared_row(const RankActions& row, int micro_batches, bool gathers) {
    constexpr std::size_t kGatheredStages = 3;
    RankActions result;
    std::set<int> gathered;
    std::map<int, int> backwards;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].kind == idle)
            continue;
        if (gathers) {
            const std::vector<int> next = next_stages(row, i, kGatheredStages);
            for (auto stage = gathered.begin(); stage != gathered.end();)
                if (std::ranges::find(next, *stage) == next.end()) {
                    result.push_back({reshard, *stage});
                    stage = gathered.erase(stage);
                } else {
                    ++stage;
                }
            for (int stage : next)
                if (gathered.insert(stage).second)
                    result.push_back({unshard, stage});
        }
        result.push_back(row[i]);
        for (const Action& part : parts_of(row[i]))
            if ((part.kind == backward || part.kind == backward_weight) && ++backwards[part.stage] == micro_batches)
                result.push_back({reduce, part.stage});
    }
    for (int stage : gathered)
        result.push_back({reshard, stage});
    return result;
}

/// The result of a neighbouring stage that a computation needs.
struct Need {
    Action receive;  ///< from another rank
    int stage;       ///< that makes it; -1: the computation needs nothing
};

Need need_of(const Action& action, int stages) {
    if (action.kind == forward && action.stage > 0)
        return {{receive_forward, action.stage, action.micro_batch}, action.stage - 1};
    if ((action.kind == backward || action.kind == backward_input) && action.stage + 1 < stages)
        return {{receive_backward, action.stage, action.micro_batch}, action.stage + 1};
    return {{}, -1};
}

/// Marks of computations and messages by kind, stage and micro-batch.
class Marks {
  public:
    explicit Marks(const Schedule& schedule)
        : stages_(static_cast<std::size_t>(schedule.stages)),
          micro_batches_(static_cast<std::size_t>(schedule.micro_batches)),
          marks_((static_cast<std::size_t>(receive_backward) + 1) * stages_ * micro_batches_) {}
    std::vector<bool>::reference operator[](const Action& action) {
        return marks_.at((static_cast<std::size_t>(action.kind) * stages_ + static_cast<std::size_t>(action.stage)) *
                             micro_batches_ +
                         static_cast<std::size_t>(action.micro_batch));
    }

  private:
    std::size_t stages_, micro_batches_;
    std::vector<bool> marks_;
};

}  // namespace

const std::vector<std::string>& schedule_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const ScheduleKind& schedule : kSchedules)
            all.emplace_back(schedule.name);
        return all;
    }();
    return names;
}

PipelineSize resolve_size(std::string_view name, PipelineSize size) {
    if (const ScheduleKind& kind = find_kind(name); size.stages_per_rank == 0)
        size.stages_per_rank = kind.most_stages == 1 ? 1 : 2;
    return size;
}

std::optional<Message> schedule_refusal(std::string_view name, PipelineSize size) {
    const ScheduleKind& kind = find_kind(name);
    size = resolve_size(name, size);
    if (size.ranks < 1 || size.stages_per_rank < 1 || size.micro_batches < 1)
        throw std::invalid_argument(fmt::format("a schedule needs a rank, a stage and a micro-batch, not {}, {} and {}",
                                                size.ranks, size.stages_per_rank, size.micro_batches));
    const int rounds = std::max(1, size.micro_batches / size.ranks), stages = size.ranks * size.stages_per_rank;
    if (kind.most_stages == 1 && size.stages_per_rank != 1)
        return Message("{} has one stage on each rank, not {}", name, size.stages_per_rank);
    if (kind.most_stages == 2 && size.stages_per_rank != 2)
        return Message("{} has two stages on each rank, not {}", name, size.stages_per_rank);
    if (kind.takes_rounds && size.micro_batches % rounds != 0)
        return Message("{} over {} ranks takes {} micro-batches in {} rounds: give a multiple of {}", name, size.ranks,
                       size.micro_batches, rounds, rounds);
    if (kind.fills_pipeline && size.micro_batches < stages)
        return Message("{} needs as many micro-batches as stages at least: {} stages and {} micro-batches", name,
                       stages, size.micro_batches);
    return {};
}

std::vector<int> place_stages(std::string_view name, PipelineSize size) {
    size = resolve_size(name, size);
    std::vector<int> rank_of_stage;
    for (int stage = 0; stage < size.ranks * size.stages_per_rank; ++stage) {
        const int rank = stage % size.ranks;
        const bool goes_back = find_kind(name).placement == Placement::v && stage / size.ranks % 2 == 1;
        rank_of_stage.push_back(goes_back ? size.ranks - 1 - rank : rank);
    }
    return rank_of_stage;
}

Schedule make_table(std::string_view name, PipelineSize size) {
    if (const std::optional<Message> refusal = schedule_refusal(name, size))
        throw std::invalid_argument(refusal->text());
    size = resolve_size(name, size);
    const ScheduleKind& kind = find_kind(name);
    Schedule table = empty_schedule(std::string(name), place_stages(name, size), size.micro_batches);
    for (int rank = 0; rank < size.ranks; ++rank)
        table.ranks[static_cast<std::size_t>(rank)] = kind.row(size, rank);
    if (kind.inserts_idle_steps)
        insert_idle_steps(table.ranks);
    return table;
}

Schedule add_messages(const Schedule& table, bool gathers) {
    check_table(table);
    Schedule result = table;
    std::vector<RankActions> rows;
    for (RankActions& row : result.ranks)
        rows.push_back(prepared_row(std::exchange(row, {}), table.micro_batches, gathers));
    const auto rank_of = [&](int stage) { return table.rank_of_stage[static_cast<std::size_t>(stage)]; };
    Marks done(table);
    std::vector<std::size_t> at(rows.size(), 0);
    const auto is_ready = [&](int rank, const Action& part) {
        const Need need = need_of(part, table.stages);
        if (need.stage < 0)
            return true;
        if (rank_of(need.stage) != rank)
            return bool(done[need.receive]);
        if (part.kind == forward)
            return bool(done[{forward, need.stage, part.micro_batch}]);
        return done[{backward, need.stage, part.micro_batch}] || done[{backward_input, need.stage, part.micro_batch}];
    };
    const auto append = [&](int rank, const Action& part) {
        if (part.micro_batch < 0)
            return;
        done[part] = true;
        const bool forwards = part.kind == forward;
        const int other = part.stage + (forwards ? 1 : -1);
        if (part.kind == backward_weight || other < 0 || other >= table.stages || rank_of(other) == rank)
            return;
        result.ranks[static_cast<std::size_t>(rank)].push_back(
            {forwards ? send_forward : send_backward, part.stage, part.micro_batch});
        const Action receive{forwards ? receive_forward : receive_backward, other, part.micro_batch};
        result.ranks[static_cast<std::size_t>(rank_of(other))].push_back(receive);
        done[receive] = true;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (at[row] == rows[row].size())
                continue;
            const int rank = static_cast<int>(row);
            const Action& action = rows[row][at[row]];
            const std::vector<Action> parts = parts_of(action);
            if (!std::ranges::all_of(parts, [&](const Action& part) { return is_ready(rank, part); }))
                continue;
            result.ranks[row].push_back(action);
            for (const Action& part : parts)
                append(rank, part);
            ++at[row];
            moved = true;
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (at[row] < rows[row].size())
            throw std::invalid_argument(
                fmt::format("the table {} blocks: {} on rank {} waits for a stage that waits for it", table.name,
                            to_text(rows[row][at[row]]), row));
    return result;
}

Schedule receive_when_needed(const Schedule& schedule) {
    Schedule result = schedule;
    const auto rank_of = [&](int stage) { return schedule.rank_of_stage[static_cast<std::size_t>(stage)]; };
    Marks received(schedule);
    for (RankActions& row : result.ranks) {
        std::map<int, std::deque<Action>> sent;  // by rank, not yet received
        for (const Action& action : std::exchange(row, {})) {
            if (action.kind == receive_forward || action.kind == receive_backward) {
                sent[rank_of(action.stage + (action.kind == receive_forward ? -1 : 1))].push_back(action);
                continue;
            }
            for (const Action& part : parts_of(action)) {
                const Need need = need_of(part, schedule.stages);
                if (need.stage < 0 || rank_of(need.stage) == rank_of(part.stage))
                    continue;
                for (std::deque<Action>& from = sent[rank_of(need.stage)]; !received[need.receive]; from.pop_front()) {
                    received[from.front()] = true;
                    row.push_back(from.front());
                }
            }
            row.push_back(action);
        }
    }
    return result;
}

Schedule make_schedule(std::string_view name, int ranks, int micro_batches, int stages_per_rank) {
    return receive_when_needed(add_messages(make_table(name, {ranks, stages_per_rank, micro_batches})));
}

Schedule plain_schedule(int micro_batches) {
    Schedule schedule = make_schedule("1F1B", 1, micro_batches);
    schedule.name = "plain";
    return schedule;
}

Schedule forward_schedule(std::vector<int> rank_of_stage, int micro_batches) {
    if (rank_of_stage.empty() || micro_batches < 1)
        throw std::invalid_argument("a schedule needs a stage and a micro-batch");
    Schedule table = empty_schedule("forward", std::move(rank_of_stage), micro_batches);
    for (int stage = 0; stage < table.stages; ++stage)
        for (int i = 0; i < micro_batches; ++i)
            table.ranks[static_cast<std::size_t>(table.rank_of_stage[static_cast<std::size_t>(stage)])].push_back(
                {forward, stage, i});
    return receive_when_needed(add_messages(table));
}

std::vector<Action> parts_of(const Action& action) {
    return action.kind == overlap ? action.parts : std::vector{action};
}

bool is_last_backward(const RankActions& actions, std::size_t position) {
    return actions[position].kind == backward &&
           std::none_of(
               actions.begin() + static_cast<std::ptrdiff_t>(position) + 1, actions.end(), [](const Action& later) {
                   return later.kind == backward || later.kind == backward_input || later.kind == backward_weight;
               });
}

namespace {

/// By ActionKind. A name that begins with another one comes first when a text is read: longest first.
constexpr std::array<std::string_view, 13> kKindTexts{"F",       "B",           "I",      "W",      "OVERLAP_F_B",
                                                      "SEND_F",  "RECV_F",      "SEND_B", "RECV_B", "UNSHARD",
                                                      "RESHARD", "REDUCE_GRAD", "."};

/// Reads a number from the start of the text, which it shortens; -1: there is none.
int take_number(std::string_view& text) {
    constexpr int kMost = 1'000'000'000;
    int number = -1;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
        number = std::max(0, number) * 10 + (text.front() - '0');
        if (number > kMost)
            throw std::invalid_argument("the number of a stage or micro-batch is too large");
    }
    return number;
}

}  // namespace

std::string to_text(const Action& action) {
    std::string text = action.stage < 0 ? "" : std::to_string(action.stage);
    if (action.kind == overlap) {
        for (const Action& part : action.parts)
            text += (text.empty() ? "(" : ";") + to_text(part);
        text += ")";
    }
    text += kKindTexts[static_cast<std::size_t>(action.kind)];
    return action.micro_batch < 0 ? text : text + std::to_string(action.micro_batch);
}

std::string to_text(const RankActions& actions) {
    std::string text;
    for (std::size_t i = 0; i < actions.size(); ++i)
        text += (i == 0 ? "" : " ") + to_text(actions[i]);
    return text;
}

std::string to_text(const Schedule& schedule) {
    std::string text;
    for (const RankActions& actions : schedule.ranks)
        text += to_text(actions) + '\n';
    return text;
}

Action parse_action(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    std::string_view rest = begin == std::string_view::npos ? std::string_view() : text.substr(begin);
    if (rest.empty() || rest == ".")
        return {};
    const auto refuse = [&] {
        throw std::invalid_argument(
            fmt::format("'{}' is not an action of a pipeline: write stage, action and "
                        "micro-batch, such as 2F0",
                        text));
    };
    if (rest.front() == '(') {
        const auto end = rest.find(')');
        if (end == std::string_view::npos ||
            !rest.substr(end + 1).starts_with(kKindTexts[static_cast<std::size_t>(overlap)]))
            refuse();
        Action both{overlap};
        std::string_view parts = rest.substr(1, end - 1);
        for (auto cut = parts.find(';'); cut != std::string_view::npos; cut = parts.find(';')) {
            both.parts.push_back(parse_action(parts.substr(0, cut)));
            parts.remove_prefix(cut + 1);
        }
        both.parts.push_back(parse_action(parts));
        if (both.parts.size() != 2 ||
            std::ranges::any_of(both.parts, [](const Action& part) { return part.stage < 0; }))
            refuse();
        return both;
    }
    Action action;
    action.stage = take_number(rest);
    std::size_t longest = 0;
    for (std::size_t kind = 0; kind < kKindTexts.size(); ++kind)
        if (rest.starts_with(kKindTexts[kind]) && kKindTexts[kind].size() > longest) {
            action.kind = static_cast<ActionKind>(kind);
            longest = kKindTexts[kind].size();
        }
    if (action.stage < 0 || longest == 0 || action.kind == overlap || action.kind == idle)
        refuse();
    rest.remove_prefix(longest);
    action.micro_batch = take_number(rest);
    return action;
}

}  // namespace trainyard::pipeline
