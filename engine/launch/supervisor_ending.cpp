#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "launch/supervisor.h"
#include "run/listing.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kFailureLines = 10;
}

void Supervisor::reap() {
    int wait_status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &wait_status, WNOHANG)) != 0;) {
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            return;
        for (Rank& rank : ranks_)
            if (!rank.ended && rank.state->process.pid == pid)
                take_end(rank, wait_status);
    }
}

void Supervisor::take_end(Rank& rank, int wait_status) {
    rank.ended = true;
    state_changed_ = true;
    ::kill(-rank.state->process.pid, SIGKILL);  // whatever it started and left
    read_control(rank);
    read_output(rank);
    rank.control.close();
    if (WIFEXITED(wait_status)) {
        rank.state->exit_code = WEXITSTATUS(wait_status);
        int code = *rank.state->exit_code;
        rank.state->state = code == kExitDone || code == kExitResumable ? "finished"
                            : rank.killed                               ? "killed"
                                                                        : "failed";
    } else {
        rank.state->signal = WTERMSIG(wait_status);
        rank.state->state = rank.killed ? "killed" : "failed";
    }
    std::fprintf(stderr, "%s rank %d ended: %s\n", iso_time(wall_seconds()).c_str(), rank.state->rank,
                 rank.state->signal ? signal_text(*rank.state->signal).c_str()
                                    : fmt::format("exit code {}", *rank.state->exit_code).c_str());
    if (rank.state->state != "failed")
        return;
    run::Failure failure;
    failure.exit_code = rank.state->exit_code;
    failure.signal = rank.state->signal;
    bool by_signal = failure.signal && *failure.signal != SIGABRT;
    suspect(rank, failure, failure.signal == SIGKILL ? oom_.struck() : "", by_signal ? Weight::cause : Weight::unclear);
}

void Supervisor::suspect(Rank& rank, const run::Failure& ended, const std::string& reason, Weight weight) {
    // Ranks are in step; rank 0's progress is newer than the last heartbeat of a rank that was killed between two.
    rank.state->step = std::max(rank.state->step, state_.progress.step);
    run::Failure failure = ended;
    failure.rank = rank.state->rank;
    failure.host = rank.state->host;
    failure.step = rank.state->step;
    failure.phase = rank.state->phase;
    failure.last_collective = rank.state->last_collective;
    failure.log = rank.log->last_lines(kFailureLines);
    failure.time = wall_seconds();
    failure.message = failure_sentence(failure, reason);
    first_failure_.suspect(failure, weight, monotonic_seconds());
    if (state_.first_failure && state_.first_failure->rank == failure.rank) {
        // Named already by its own word; now it is known how it ended.
        state_.first_failure->exit_code = failure.exit_code;
        state_.first_failure->signal = failure.signal;
        state_.first_failure->log = failure.log;
    }
    if (failing_since_ == 0) {
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

void Supervisor::signal_ranks(int number) {
    for (Rank& rank : ranks_) {
        if (rank.ended)
            continue;
        rank.killed = true;
        if (::kill(-rank.state->process.pid, number) != 0)
            ::kill(rank.state->process.pid, number);
    }
}

void Supervisor::end_remaining_ranks() {
    if (failing_since_ == 0)
        return;
    double since = monotonic_seconds() - failing_since_;
    if (escalation_ == 0 && since >= options_.grace_s) {
        escalation_ = 1;
        signal_ranks(SIGTERM);
    } else if (escalation_ == 1 && since >= options_.grace_s + options_.term_s) {
        escalation_ = 2;
        signal_ranks(SIGKILL);
    }
}

void Supervisor::warn_of_silence() {
    if (state_.status != run::Status::running && state_.status != run::Status::starting)
        return;
    double now = monotonic_seconds();
    std::string where;
    for (const Rank& rank : ranks_)
        if (!rank.ended)
            where += fmt::format("{}rank {} in {} at step {}{}", where.empty() ? "" : "; ", rank.state->rank,
                                 rank.state->phase.empty() ? "start-up" : rank.state->phase, rank.state->step,
                                 rank.state->last_collective.empty() ? "" : " after " + rank.state->last_collective);
    for (Rank& rank : ranks_) {
        if (rank.ended || rank.silent || now - rank.heard < options_.silence_s)
            continue;
        rank.silent = true;
        record("warning",
               fmt::format("rank {} on {} has been silent for {}; last known: {}", rank.state->rank, rank.state->host,
                           text::duration(options_.silence_s), where),
               rank.state->rank, rank.state->step);
    }
    bool any_silent = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.silent; });
    if (!still_ && !any_silent && now - moved_ >= 2 * options_.silence_s) {
        still_ = true;
        record("warning",
               fmt::format("no new step for {}; last known: {}", text::duration(2 * options_.silence_s), where), -1,
               state_.progress.step);
    }
}

std::string Supervisor::how_it_ended(run::Status status) const {
    const run::Progress& progress = state_.progress;
    std::string steps = fmt::format("step {} of {}", text::grouped(progress.step), text::grouped(progress.of));
    if (status == run::Status::failed)
        return state_.first_failure->message;
    if (status == run::Status::stopped) {
        if (!kill_asked_)
            return "stopped at " + steps + " after a checkpoint";
        return "killed at " + steps +
               (run::has_checkpoint(paths_) ? ", an earlier checkpoint is kept" : ", no checkpoint");
    }
    std::string text = fmt::format("finished {} steps in {}", text::grouped(progress.step),
                                   text::duration(*state_.ended - state_.started));
    if (progress.loss)
        text += fmt::format(", loss {:.4f}", *progress.loss);
    if (progress.validation_loss)
        text += fmt::format(", validation loss {:.4f}", *progress.validation_loss);
    return text;
}

}  // namespace trainyard::launch
