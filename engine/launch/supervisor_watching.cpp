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
#include "launch/supervisor.h"

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

std::vector<RankPulse> Supervisor::pulses(double now) {
    std::vector<RankPulse> all;
    for (const Rank& rank : ranks_) {
        if (rank.ended)
            continue;
        RankPulse& pulse = all.emplace_back();
        pulse.rank = rank.state->rank;
        pulse.host = rank.state->host;
        pulse.silent_s = now - rank.heard;
        pulse.still_s = now - rank.changed;
        pulse.step = rank.state->step;
        pulse.phase = rank.state->phase;
        pulse.collective = rank.state->last_collective;
        pulse.waits_for = rank.waits_for;
        // A rank whose main thread hangs in the kernel goes on to be heard: its heartbeats have a thread of their own.
        if (spec_.program || pulse.silent_s >= options_.heartbeat_s || now - moved_ >= options_.still_s)
            pulse.condition = seats_[rank.machine].machine->condition(pulse.rank);
    }
    return all;
}

/// A rank that its machine sees stopped or held will not get on by waiting.
bool Supervisor::is_held(const RankPulse& pulse) const {
    return !pulse.condition.empty() && pulse.silent_s >= 2 * options_.heartbeat_s;
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
    std::vector<RankPulse> ranks = pulses(now);
    if (std::any_of(ranks.begin(), ranks.end(), [this](const RankPulse& pulse) { return is_held(pulse); }))
        return first;
    double most = spec_.launch.hang_timeout_s;
    if (at_work)
        return most > 0 ? std::max(first, moved_ + most) : now + limit;
    return std::max(stopping_since_, stop_work_) + std::max(limit, kStepsOfPatience * step_s_);
}

void Supervisor::end_overdue_stop(double now) {
    std::string sentence = fmt::format("the ranks did not end within {} after they were asked to and are killed",
                                       text::duration(now - stopping_since_));
    stopping_since_ = 0;
    std::vector<RankPulse> ranks = pulses(now);
    std::optional<int> behind = rank_behind(ranks, 2 * options_.heartbeat_s);
    if (spec_.program)
        record("warning", sentence);
    else
        report_hang(sentence, ranks, behind);
    if (!growing_)
        stop_problem_ = spec_.program ? sentence : sentence + ": " + hang_sentence(ranks, behind);
    kill_asked_ = kill_asked_ || !(growing_ || spec_.program);
    signal_ranks(SIGKILL);
}

void Supervisor::watch_ranks() {
    double now = monotonic_seconds();
    double gap = spec_.program ? std::min(kProgramLooks, options_.idle_s) : kLooks;
    if (joining_ || failing_since_ > 0 || kill_asked_ || all_ended() || now - looked_ < gap)
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
    std::vector<RankPulse> ranks = pulses(now);
    std::optional<int> behind = rank_behind(ranks, silence);
    for (const RankPulse& pulse : ranks) {
        Rank& rank = ranks_[static_cast<std::size_t>(pulse.rank)];
        if (rank.silent || !(is_held(pulse) || pulse.silent_s >= options_.silence_s))
            continue;
        rank.silent = true;
        report_hang(
            fmt::format("rank {} on {} has been silent for {}", pulse.rank, pulse.host, text::duration(pulse.silent_s)),
            ranks, pulse.rank);
    }
    bool any_silent = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.silent; });
    // While the run is paused nothing moves, but every rank is heard.
    bool paused =
        std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.state->phase == "paused"; });
    if (!still_ && !any_silent && !paused && now - moved_ >= patience()) {
        still_ = true;
        report_hang(fmt::format("no progress for {}", text::duration(now - moved_)), ranks, behind);
    }
    double limit = spec_.launch.hang_timeout_s;
    double stood = paused ? longest : now - moved_;
    bool began = newest_step_ > 0 || longest >= limit;  // reading the data may take any time
    bool certain = std::any_of(ranks.begin(), ranks.end(), [this](const RankPulse& pulse) { return is_held(pulse); });
    if (limit > 0 && began && !ranks.empty() && stood >= (certain ? limit : std::max(limit, patience()))) {
        Rank& rank = ranks_[static_cast<std::size_t>(behind.value_or(ranks.front().rank))];
        suspect(
            rank, {},
            fmt::format("it hangs, nothing has moved for {}: {}", text::duration(stood), hang_sentence(ranks, behind)),
            Weight::cause);
        escalation_ = 1;  // they wait for each other: none will end by itself
        signal_ranks(SIGKILL);
    }
}

void Supervisor::watch_program(double now) {
    link_event_files(false);
    for (const RankPulse& pulse : pulses(now)) {
        Rank& rank = ranks_[static_cast<std::size_t>(pulse.rank)];
        bool idle = !pulse.condition.empty() && pulse.still_s >= options_.idle_s;
        if (!idle)
            rank.silent = false;
        else if (!std::exchange(rank.silent, true))
            record("warning",
                   fmt::format("rank {} on {} may hang: it has written nothing for {} and {}", pulse.rank, pulse.host,
                               text::duration(pulse.still_s), pulse.condition),
                   pulse.rank);
    }
}

void Supervisor::report_hang(const std::string& beginning, const std::vector<RankPulse>& ranks,
                             std::optional<int> behind) {
    std::string sentence = beginning + ": " + hang_sentence(ranks, behind);
    fs::path file = paths_.logs() / fmt::format("hang-{}.json", ++hangs_);
    try {
        write_file_atomically(file, flight_record(ranks, behind, sentence, state_.generation, wall_seconds()), false);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    record("warning", sentence, behind.value_or(-1), state_.progress.step, fs::relative(file, paths_.root()).string());
}

}  // namespace trainyard::launch
