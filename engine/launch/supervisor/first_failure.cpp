// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/first_failure.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::launch {

void FirstFailure::suspect(const run::Failure& failure, Weight weight, double monotonic) {
    for (Suspect& known : suspects_) {
        if (known.failure.rank != failure.rank)
            continue;
        // What the rank said of itself stays; the exit only adds how it ended. Its weight may only grow by a signal: a rank
        // that complained of a lost peer and is then killed from outside was dying already.
        known.failure.exit_code = failure.exit_code;
        known.failure.signal = failure.signal;
        known.failure.log = failure.log;
        return;
    }
    suspects_.push_back({failure, weight, monotonic});
}

const run::Failure* FirstFailure::verdict(double monotonic, bool all_ended) const {
    if (suspects_.empty())
        return nullptr;
    double first = suspects_.front().arrived;
    const Suspect* heaviest = nullptr;
    for (const Suspect& suspect : suspects_)
        if (suspect.arrived - first <= window_s_ && (heaviest == nullptr || suspect.weight < heaviest->weight))
            heaviest = &suspect;
    if (heaviest->weight == Weight::cause || all_ended || monotonic - first > window_s_)
        return &heaviest->failure;
    return nullptr;
}

Message signal_text(int number) {
    const char* name = ::sigabbrev_np(number);
    return name == nullptr ? Message("signal {}", number) : Message("signal {} (SIG{})", number, name);
}

Message failure_sentence(const run::Failure& failure, const Message& reason) {
    const bool named = !failure.phase.empty() && failure.phase != "init";
    const Message place = named              ? Message("at step {} ({})", failure.step, failure.phase)
                          : failure.step > 0 ? Message("at step {}", failure.step)
                                             : Message("before the first step");
    const std::string rank = run::rank_name(failure.rank, failure.place);
    if (failure.signal && reason.empty())
        return Message("rank {} on {} was killed by {} {}", rank, failure.host, signal_text(*failure.signal), place);
    if (failure.signal)
        return Message("rank {} on {} was killed by {} {}, {}", rank, failure.host, signal_text(*failure.signal), place,
                       reason);
    if (!reason.empty())
        return Message("rank {} on {} failed {}: {}", rank, failure.host, place, reason);
    return Message("rank {} on {} exited with code {} {}", rank, failure.host, failure.exit_code.value_or(1), place);
}

Message program_failure_sentence(const run::Failure& failure, const Message& reason) {
    if (failure.signal && reason.empty())
        return Message("rank {} on {} was killed by {}", failure.rank, failure.host, signal_text(*failure.signal));
    if (failure.signal)
        return Message("rank {} on {} was killed by {}, {}", failure.rank, failure.host, signal_text(*failure.signal),
                       reason);
    if (!reason.empty())
        return Message("rank {} on {} failed: {}", failure.rank, failure.host, reason);
    return Message("rank {} on {} exited with code {}", failure.rank, failure.host, failure.exit_code.value_or(1));
}

Message killed_rank_sentence(const run::RankState& rank, const Message& reason) {
    return Message("rank {} on {} was killed, {}", run::rank_name(rank.rank, rank.place), rank.host, reason);
}

}  // namespace trainyard::launch
