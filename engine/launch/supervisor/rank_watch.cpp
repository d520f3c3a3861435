// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_watch.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace trainyard::launch {

namespace {

constexpr double kLooks = 0.2;           // seconds between two looks
constexpr double kProgramLooks = 5;      // the same at the CPU time of programs
constexpr double kStepsOfPatience = 10;  // a step may take so many times as long as those before

/// Phases in which nothing in the heartbeats needs to change for long.
bool is_long(const std::string& phase) {
    return phase == "evaluate" || phase == "save" || phase == "init" || phase.empty();
}

}  // namespace

bool RankWatch::any(auto&& holds) const {
    return std::any_of(ranks_.begin(), ranks_.end(), holds);
}

void RankWatch::begin(const std::vector<run::RankState>& ranks, double now) {
    ranks_.clear();
    for (const run::RankState& state : ranks) {
        Seen& rank = ranks_.emplace_back();
        rank.status.rank = state.rank;
        rank.status.place = state.place;
        rank.status.host = state.host;
        rank.heard = rank.changed = now;
    }
    slow_ = SlowRanks();
    newest_step_ = reported_step_ = -1;
    moved_ = now;
    still_ = false;
}

void RankWatch::started(int rank, double now) {
    at(rank).heard = at(rank).changed = moved_ = now;
}

std::optional<double> RankWatch::heard(int number, double now) {
    Seen& rank = at(number);
    const double silent = now - std::exchange(rank.heard, now);
    return std::exchange(rank.warned, false) ? std::optional(silent) : std::nullopt;
}

void RankWatch::moved(Seen& rank, std::int64_t step, double now) {
    rank.changed = moved_ = now;
    still_ = false;
    newest_step_ = std::max(newest_step_, step);
}

std::optional<Message> RankWatch::heartbeat(int number, const Heartbeat& heartbeat, double now) {
    Seen& rank = at(number);
    RankStatus& status = rank.status;
    const bool step = heartbeat.step > status.step;
    const bool changed = step || heartbeat.phase != status.phase || heartbeat.collective != status.collective ||
                         heartbeat.waits_for != status.waits_for;
    status.step = heartbeat.step;
    status.phase = heartbeat.phase;
    status.collective = heartbeat.collective;
    status.waits_for = heartbeat.waits_for;
    if (changed)
        moved(rank, step ? status.step : -1, now);
    if (heartbeat.own_step_s <= 0)
        return std::nullopt;
    return slow_.step(number, status.step, heartbeat.own_step_s, static_cast<int>(ranks_.size()));
}

void RankWatch::progress(int number, const ProgressReport& report, double now) {
    Seen& rank = at(number);
    const std::int64_t step = report.progress.step;
    if (report.step_s)
        step_s_ = std::max(*report.step_s, 0.9 * step_s_);
    reported_step_ = step;
    rank.status.step = std::max(rank.status.step, step);
    if (step > newest_step_)
        moved(rank, rank.status.step, now);
}

void RankWatch::printed(int number, std::int64_t step, std::int64_t run_step, double now) {
    Seen& rank = at(number);
    rank.status.step = step;
    moved(rank, run_step, now);
}

double RankWatch::patience() const {
    const bool long_phase =
        newest_step_ <= 0 || any([](const Seen& rank) { return !rank.ended && is_long(rank.status.phase); });
    return std::max(long_phase ? options_.first_step_s : options_.still_s, kStepsOfPatience * step_s_);
}

std::vector<RankStatus> RankWatch::statuses(double now) const {
    std::vector<RankStatus> all;
    for (const Seen& rank : ranks_) {
        if (rank.ended)
            continue;
        RankStatus& status = all.emplace_back(rank.status);
        status.silent_s = now - rank.heard;
        status.still_s = now - rank.changed;
        // A rank whose main thread hangs in the kernel still sends heartbeats: they have a thread of their own.
        if (spec_.program || status.silent_s >= options_.heartbeat_s || now - moved_ >= options_.still_s)
            status.condition = condition_(status.rank);
    }
    return all;
}

/// True if the rank is stopped or held: its machine reports a condition and heartbeats are missing. Such a rank
/// continues only when it is resumed.
bool RankWatch::is_held(const RankStatus& status) const {
    return !status.condition.empty() && status.silent_s >= 2 * options_.heartbeat_s;
}

bool RankWatch::any_held(const std::vector<RankStatus>& ranks) const {
    return std::any_of(ranks.begin(), ranks.end(), [this](const RankStatus& status) { return is_held(status); });
}

std::optional<RankWatch::Findings> RankWatch::look(double now) {
    if (now - looked_ < (spec_.program ? std::min(kProgramLooks, options_.idle_s) : kLooks))
        return std::nullopt;
    looked_ = now;
    Findings found;
    spec_.program ? look_at_program(found, now) : look_at_recipe(found, now);
    return found;
}

void RankWatch::look_at_recipe(Findings& found, double now) {
    const double silence = 2 * options_.heartbeat_s;
    double longest = 0;
    for (const Seen& rank : ranks_)
        longest = std::max(longest, rank.ended ? 0.0 : now - rank.heard);
    if (longest < silence && now - moved_ < options_.still_s)
        return;
    found.ranks = statuses(now);
    const std::optional<int> behind = rank_behind(found.ranks, silence);
    const auto warn = [&](const Message& beginning, std::optional<int> rank) {
        found.warnings.push_back({Message("{}: {}", beginning, hang_sentence(found.ranks, rank)), rank});
    };
    for (const RankStatus& status : found.ranks)
        if ((is_held(status) || status.silent_s >= options_.silence_s) && !std::exchange(at(status.rank).warned, true))
            warn(Message("rank {} on {} has been silent for {}", run::rank_name(status.rank, status.place), status.host,
                         text::duration(status.silent_s)),
                 status.rank);
    // While the run is paused nothing moves, but every rank is heard.
    const bool paused = any([](const Seen& rank) { return rank.status.phase == "paused"; });
    const double still = now - moved_;
    if (!still_ && !paused && still >= patience() && !any([](const Seen& rank) { return rank.warned; })) {
        still_ = true;
        warn(Message("no progress for {}", text::duration(still)), behind);
    }
    const double limit = spec_.launch.hang_timeout_s;
    const double stood = paused ? longest : still;
    const bool began = newest_step_ > 0 || longest >= limit;  // reading the data may take any time
    if (limit > 0 && began && !found.ranks.empty() &&
        stood >= (any_held(found.ranks) ? limit : std::max(limit, patience())))
        found.hang = {Message("it hangs, nothing has moved for {}: {}", text::duration(stood),
                              hang_sentence(found.ranks, behind)),
                      behind.value_or(found.ranks.front().rank)};
}

void RankWatch::look_at_program(Findings& found, double now) {
    for (const RankStatus& status : statuses(now)) {
        const bool idle = !status.condition.empty() && status.still_s >= options_.idle_s;
        if (!std::exchange(at(status.rank).warned, idle) && idle)
            found.warnings.push_back(
                {Message("rank {} on {} may hang: it has written nothing for {} and {}", status.rank, status.host,
                         text::duration(status.still_s), status.condition),
                 status.rank});
    }
}

double RankWatch::stop_deadline(double since, double now) {
    const double limit = spec_.launch.stop_timeout_s, first = since + limit;
    if (spec_.program || newest_step_ <= 0)
        return first;
    const bool at_work = any([](const Seen& rank) { return !rank.ended && is_long(rank.status.phase); });
    if (at_work)
        stop_work_ = now;
    if (now < first || any_held(statuses(now)))
        return first;
    const double most = spec_.launch.hang_timeout_s;
    if (at_work)
        return most > 0 ? std::max(first, moved_ + most) : now + limit;
    return std::max(since, stop_work_) + std::max(limit, kStepsOfPatience * step_s_);
}

RankWatch::Findings RankWatch::overdue(const Message& beginning, double now) const {
    Findings found;
    found.ranks = statuses(now);
    const std::optional<int> behind = rank_behind(found.ranks, 2 * options_.heartbeat_s);
    found.warnings.push_back({Message("{}: {}", beginning, hang_sentence(found.ranks, behind)), behind});
    return found;
}

}  // namespace trainyard::launch
