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

void Supervisor::watch_ranks() {
    double now = monotonic_seconds();
    bool watched = state_.status == run::Status::running || state_.status == run::Status::starting;
    double gap = spec_.program ? std::min(kProgramLooks, options_.idle_s) : kLooks;
    if (!watched || joining_ || failing_since_ > 0 || now - looked_ < gap)
        return;
    looked_ = now;
    if (spec_.program)
        return watch_program(now);
    if (std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.state->phase == "paused"; }))
        return;
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
        bool seen_stopped = !pulse.condition.empty() && pulse.silent_s >= silence;
        if (rank.silent || !(seen_stopped || pulse.silent_s >= options_.silence_s))
            continue;
        rank.silent = true;
        report_hang(
            fmt::format("rank {} on {} has been silent for {}", pulse.rank, pulse.host, text::duration(pulse.silent_s)),
            ranks, pulse.rank);
    }
    bool any_silent = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.silent; });
    if (!still_ && !any_silent && now - moved_ >= patience()) {
        still_ = true;
        report_hang(fmt::format("no progress for {}", text::duration(now - moved_)), ranks, behind);
    }
    double limit = spec_.launch.hang_timeout_s;
    bool began = newest_step_ > 0 || longest >= limit;  // reading the data may take any time
    bool certain = std::any_of(ranks.begin(), ranks.end(), [&](const RankPulse& pulse) {
        return !pulse.condition.empty() && pulse.silent_s >= silence;
    });
    if (limit > 0 && began && !ranks.empty() && now - moved_ >= (certain ? limit : std::max(limit, patience()))) {
        Rank& rank = ranks_[static_cast<std::size_t>(behind.value_or(ranks.front().rank))];
        suspect(rank, {},
                fmt::format("it hangs, nothing has moved for {}: {}", text::duration(now - moved_),
                            hang_sentence(ranks, behind)),
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
