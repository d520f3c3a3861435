// Supervisor: ranks that end, are ended, or are lost with their machine.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kFailureLines = 10;
}

void Supervisor::ended(int number, int status, const Message& reason) {
    Rank* found = find(number);
    if (found == nullptr || found->ended)
        return;
    Rank& rank = *found;
    rank.ended = true;
    state_changed_ = true;
    run::RankState& state = *rank.state;
    if (WIFEXITED(status)) {
        state.exit_code = WEXITSTATUS(status);
        int code = *state.exit_code;
        state.state = code == kExitDone || code == kExitResumable ? "finished" : rank.killed ? "killed" : "failed";
    } else {
        state.signal = WTERMSIG(status);
        state.state = rank.killed ? "killed" : "failed";
    }
    if (!options_.foreground)
        std::fprintf(stderr, "%s rank %d ended: %s\n", iso_time(wall_seconds()).c_str(), number,
                     state.signal ? signal_text(*state.signal).text().c_str()
                                  : fmt::format("exit code {}", *state.exit_code).c_str());
    if (rank.killed && !reason.empty())
        record("warning", Message("rank {} on {} was killed{}", number, state.host, reason), number, state.step);
    if (state.state != "failed")
        return;
    run::Failure failure;
    failure.exit_code = state.exit_code;
    failure.signal = state.signal;
    bool by_signal = failure.signal && *failure.signal != SIGABRT;
    suspect(rank, failure, reason, by_signal ? Weight::cause : Weight::unclear);
}

void Supervisor::lost(const std::string& host, const Message& reason) {
    Rank* first = nullptr;
    for (Rank& rank : ranks_) {
        if (rank.machine != taking_ || rank.ended)
            continue;
        rank.ended = true;
        rank.state->state = "lost";
        if (first == nullptr)
            first = &rank;
    }
    if (taking_ < state_.machines.size())
        state_.machines[taking_].state = "lost";
    state_changed_ = true;
    if (first == nullptr)
        return record("warning", Message("{} was lost: {}", host, reason));
    suspect(*first, {}, Message("{} was lost: {}", host, reason), Weight::cause);
}

void Supervisor::preempted(const std::string& host, const Message& reason) {
    if (is_stop_asked(lifecycle_))
        return;
    record("note", Message("{} is taken away: {}", host, reason));
    run::Request request;
    request.id = "signal-of-" + host;
    request.kind = "stop";
    request.from = host;
    stop(request);
}

void Supervisor::warned(const std::string& host, const Message& text) {
    record("warning", Message("{}: {}", host, text));
}

void Supervisor::suspect(Rank& rank, const run::Failure& seen, const Message& reason, Weight weight) {
    // Ranks are in step; rank 0's progress is newer than the last heartbeat of a rank that was killed between two.
    rank.state->step = std::max(rank.state->step, reported_step_);
    run::Failure failure = seen;
    failure.rank = rank.state->rank;
    failure.host = rank.state->host;
    failure.step = rank.state->step;
    failure.phase = rank.state->phase;
    failure.last_collective = rank.state->last_collective;
    failure.log = rank.log->last_lines(kFailureLines);
    failure.time = wall_seconds();
    failure.message = spec_.program ? program_failure_sentence(failure, reason) : failure_sentence(failure, reason);
    first_failure_.suspect(failure, weight, monotonic_seconds());
    if (state_.first_failure && state_.first_failure->rank == failure.rank) {
        // Named already by its own word; now it is known how it ended.
        state_.first_failure->exit_code = failure.exit_code;
        state_.first_failure->signal = failure.signal;
        state_.first_failure->log = failure.log;
    }
    const bool failing = is_failing(lifecycle_);
    go(SupervisorEvent::rank_failed);
    if (!failing && is_failing(lifecycle_)) {
        failing_since_ = monotonic_seconds();
        set_status(run::Status::stopping, "a rank failed, ending the others");
    }
}

void Supervisor::settle_first_failure() {
    if (state_.first_failure)
        return;
    const run::Failure* failure = first_failure_.verdict(monotonic_seconds(), all_ended());
    if (failure == nullptr)
        return;
    state_.first_failure = *failure;
    state_.message = failure->message;
    state_changed_ = true;
    record("failure", failure->message, failure->rank, failure->step);
}

void Supervisor::fail(const Message& message) {
    go(SupervisorEvent::cannot_go_on);
    run::Failure failure;
    failure.host = state_.supervisor_host;
    failure.step = state_.progress.step;
    failure.message = message;
    failure.time = wall_seconds();
    state_.first_failure = failure;
    record("failure", message);
}

void Supervisor::signal_ranks(int number) {
    for (Rank& rank : ranks_)
        rank.killed = rank.killed || !rank.ended;
    for (const Participant& participant : participants_)
        participant.machine->signal(number);
}

void Supervisor::end_remaining_ranks() {
    double now = monotonic_seconds();
    const bool failing = is_failing(lifecycle_);
    if (stopping_since_ > 0 && !failing && has_ranks(lifecycle_) && now >= stop_deadline(now))
        return end_overdue_stop(now);
    if (!failing)
        return;
    double since = now - failing_since_;
    double term = spec_.program ? options_.program_term_s : options_.term_s;
    if (escalation_ == 0 && since >= options_.grace_s) {
        escalation_ = 1;
        signal_ranks(SIGTERM);
    } else if (escalation_ == 1 && since >= options_.grace_s + term) {
        escalation_ = 2;
        signal_ranks(SIGKILL);
    }
}

}  // namespace trainyard::launch
