// Supervisor: ranks that are silent, stand still or use no CPU. Warnings name the rank that the others wait for; a run that stands still
// for launch.hang_timeout_s fails, and is started anew where that is allowed.

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

namespace {

constexpr double kLooks = 0.2;           // seconds between two looks
constexpr double kProgramLooks = 5;      // the same at the CPU time of programs
constexpr double kStepsOfPatience = 10;  // a step may take so many times as long as those before

/// Phases in which nothing of what heartbeats tell needs to change for long.
bool is_long(const std::string& phase) {
    return phase == "evaluate" || phase == "save" || phase == "init" || phase.empty();
}

}  // namespace

double Supervisor::patience() const {
    bool long_phase = newest_step_ <= 0 || std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
                          return !rank.ended && is_long(rank.state->phase);
                      });
    return std::max(long_phase ? options_.first_step_s : options_.still_s, kStepsOfPatience * step_s_);
}

std::vector<RankStatus> Supervisor::rank_statuses(double now) {
    std::vector<RankStatus> all;
    for (const Rank& rank : ranks_) {
        if (rank.ended)
            continue;
        RankStatus& rank_status = all.emplace_back();
        rank_status.rank = rank.state->rank;
        rank_status.host = rank.state->host;
        rank_status.silent_s = now - rank.heard;
        rank_status.still_s = now - rank.changed;
        rank_status.step = rank.state->step;
        rank_status.phase = rank.state->phase;
        rank_status.collective = rank.state->last_collective;
        rank_status.waits_for = rank.waits_for;
        // A rank whose main thread hangs in the kernel goes on to be heard: its heartbeats have a thread of their own.
        if (spec_.program || rank_status.silent_s >= options_.heartbeat_s || now - moved_ >= options_.still_s)
            rank_status.condition = participants_[rank.machine].machine->condition(rank_status.rank);
    }
    return all;
}

/// A rank that its machine sees stopped or held will not get on by waiting.
bool Supervisor::is_held(const RankStatus& rank_status) const {
    return !rank_status.condition.empty() && rank_status.silent_s >= 2 * options_.heartbeat_s;
}

/// Until when ranks that were asked to stop are left alone, in monotonic seconds. stop_timeout_s after the request for a program, for ranks that
/// have done no step, and where one is seen to be held; others may do ten steps more, and evaluate and save as long as at any other time.
double Supervisor::stop_deadline(double now) {
    const double limit = spec_.launch.stop_timeout_s, first = stopping_since_ + limit;
    if (spec_.program || newest_step_ <= 0)
        return first;
    bool at_work = std::any_of(ranks_.begin(), ranks_.end(),
                               [](const Rank& rank) { return !rank.ended && is_long(rank.state->phase); });
    if (at_work)
        stop_work_ = now;
    if (now < first)
        return first;
    std::vector<RankStatus> ranks = rank_statuses(now);
    if (std::any_of(ranks.begin(), ranks.end(), [this](const RankStatus& rank_status) { return is_held(rank_status); }))
        return first;
    double most = spec_.launch.hang_timeout_s;
    if (at_work)
        return most > 0 ? std::max(first, moved_ + most) : now + limit;
    return std::max(stopping_since_, stop_work_) + std::max(limit, kStepsOfPatience * step_s_);
}

void Supervisor::end_overdue_stop(double now) {
    const Message sentence = Message("the ranks did not end within {} after they were asked to and are killed",
                                     text::duration(now - stopping_since_));
    stopping_since_ = 0;
    std::vector<RankStatus> ranks = rank_statuses(now);
    std::optional<int> behind = rank_behind(ranks, 2 * options_.heartbeat_s);
    if (spec_.program)
        record("warning", sentence);
    else
        report_hang(sentence, ranks, behind);
    const bool growing = lifecycle_ == SupervisorState::growing;
    if (!growing)
        stop_problem_ = spec_.program ? sentence : Message("{}: {}", sentence, hang_sentence(ranks, behind));
    if (!growing && !spec_.program)
        go(SupervisorEvent::kill);
    signal_ranks(SIGKILL);
}

void Supervisor::watch_ranks() {
    double now = monotonic_seconds();
    double gap = spec_.program ? std::min(kProgramLooks, options_.idle_s) : kLooks;
    if (!has_ranks(lifecycle_) || is_failing(lifecycle_) || lifecycle_ == SupervisorState::killing || all_ended() ||
        now - looked_ < gap)
        return;
    looked_ = now;
    if (spec_.program)
        return watch_program(now);
    double silence = 2 * options_.heartbeat_s;
    double longest = 0;
    for (const Rank& rank : ranks_)
        longest = std::max(longest, rank.ended ? 0.0 : now - rank.heard);
    if (longest < silence && now - moved_ < options_.still_s)
        return;
    std::vector<RankStatus> ranks = rank_statuses(now);
    std::optional<int> behind = rank_behind(ranks, silence);
    for (const RankStatus& rank_status : ranks) {
        Rank& rank = ranks_[static_cast<std::size_t>(rank_status.rank)];
        if (rank.silent || !(is_held(rank_status) || rank_status.silent_s >= options_.silence_s))
            continue;
        rank.silent = true;
        report_hang(Message("rank {} on {} has been silent for {}", rank_status.rank, rank_status.host,
                            text::duration(rank_status.silent_s)),
                    ranks, rank_status.rank);
    }
    bool any_silent = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.silent; });
    // While the run is paused nothing moves, but every rank is heard.
    bool paused =
        std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.state->phase == "paused"; });
    if (!still_ && !any_silent && !paused && now - moved_ >= patience()) {
        still_ = true;
        report_hang(Message("no progress for {}", text::duration(now - moved_)), ranks, behind);
    }
    double limit = spec_.launch.hang_timeout_s;
    double stood = paused ? longest : now - moved_;
    bool began = newest_step_ > 0 || longest >= limit;  // reading the data may take any time
    bool certain =
        std::any_of(ranks.begin(), ranks.end(), [this](const RankStatus& rank_status) { return is_held(rank_status); });
    if (limit > 0 && began && !ranks.empty() && stood >= (certain ? limit : std::max(limit, patience()))) {
        Rank& rank = ranks_[static_cast<std::size_t>(behind.value_or(ranks.front().rank))];
        suspect(rank, {},
                Message("it hangs, nothing has moved for {}: {}", text::duration(stood), hang_sentence(ranks, behind)),
                Weight::cause);
        escalation_ = 1;  // they wait for each other: none will end by itself
        signal_ranks(SIGKILL);
    }
}

void Supervisor::watch_program(double now) {
    link_event_files(false);
    for (const RankStatus& rank_status : rank_statuses(now)) {
        Rank& rank = ranks_[static_cast<std::size_t>(rank_status.rank)];
        bool idle = !rank_status.condition.empty() && rank_status.still_s >= options_.idle_s;
        if (!idle)
            rank.silent = false;
        else if (!std::exchange(rank.silent, true))
            record("warning",
                   Message("rank {} on {} may hang: it has written nothing for {} and {}", rank_status.rank,
                           rank_status.host, text::duration(rank_status.still_s), rank_status.condition),
                   rank_status.rank);
    }
}

void Supervisor::report_hang(const Message& beginning, const std::vector<RankStatus>& ranks,
                             std::optional<int> behind) {
    const Message sentence("{}: {}", beginning, hang_sentence(ranks, behind));
    fs::path file = paths_.logs() / fmt::format("hang-{}.json", ++hangs_);
    try {
        write_file_atomically(file, flight_record(ranks, behind, sentence, state_.generation, wall_seconds()), false);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    record("warning", sentence, behind.value_or(-1), state_.progress.step, fs::relative(file, paths_.root()).string());
}

}  // namespace trainyard::launch
