// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/ending.h"

#include <csignal>
#include <vector>

#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "run/listing.h"

namespace trainyard::launch {

void Ending::begin_generation() {
    first_failure_ = FirstFailure(options_.window_s);
    failing_since_ = stopping_since_ = 0;
    signals_sent_ = 0;
    health_stop_ = {};
}

run::Failure Ending::suspect(const run::RankState& rank, run::Failure seen, const Message& reason, Weight weight,
                             double now) {
    seen.rank = rank.rank;
    seen.place = rank.place;
    seen.host = rank.host;
    seen.step = rank.step;
    seen.phase = rank.phase;
    seen.last_collective = rank.last_collective;
    seen.time = wall_seconds();
    seen.message = spec_.program ? program_failure_sentence(seen, reason) : failure_sentence(seen, reason);
    first_failure_.suspect(seen, weight, now);
    return seen;
}

std::optional<int> Ending::due_signal(double now) {
    const double since = now - failing_since_;
    const double term = spec_.program ? options_.program_term_s : options_.term_s;
    if (signals_sent_ >= 2 || since < options_.grace_s + (signals_sent_ == 0 ? 0 : term))
        return std::nullopt;
    return ++signals_sent_ == 1 ? SIGTERM : SIGKILL;
}

run::Status Ending::status(const run::RunState& state, SupervisorState lifecycle, bool resumable) const {
    if (state.first_failure)
        return run::Status::failed;
    const bool cut_short = lifecycle == SupervisorState::cancelled || lifecycle == SupervisorState::killing ||
                           (spec_.program && is_stop_asked(lifecycle));
    return resumable || cut_short ? run::Status::stopped : run::Status::finished;
}

int Ending::exit_code(run::Status status, const run::RunState& state) const {
    if (status == run::Status::finished)
        return kExitDone;
    if (status == run::Status::stopped)
        return spec_.program && stop_signal_ != 0 ? 128 + stop_signal_ : kExitResumable;
    const run::Failure& failure = *state.first_failure;
    if (!spec_.program)
        return kExitFailed;
    return failure.signal ? 128 + *failure.signal : failure.exit_code.value_or(kExitFailed);
}

Message Ending::sentence(run::Status status, const run::RunState& state, SupervisorState lifecycle, double lasted,
                         const run::RunPaths& paths) const {
    const run::Progress& progress = state.progress;
    if (status == run::Status::failed)
        return state.first_failure->message;
    if (spec_.program)
        return status == run::Status::finished ? Message("finished after {}", text::duration(lasted))
                                               : Message("stopped after {}", text::duration(lasted));
    const Message steps = Message("step {} of {}", text::grouped(progress.step), text::grouped(progress.of));
    if (status == run::Status::stopped) {
        const bool killed = lifecycle == SupervisorState::killing || lifecycle == SupervisorState::cancelled;
        const std::optional<std::int64_t> good = run::newest_good_checkpoint(paths);
        if (!health_stop_.empty() && !killed)
            return good ? Message("stopped at {} because {}; the newest good checkpoint is checkpoint_{}", steps,
                                  health_stop_, *good)
                        : Message("stopped at {} because {}; there is no good checkpoint", steps, health_stop_);
        if (!killed)
            return saves_ ? Message("stopped at {} after a checkpoint", steps)
                   : good ? Message("stopped at {}, an earlier checkpoint is kept", steps)
                          : Message("stopped at {}, no checkpoint", steps);
        const Message sentence = good ? Message("killed at {}, an earlier checkpoint is kept", steps)
                                      : Message("killed at {}, no checkpoint", steps);
        return stop_problem_.empty() ? sentence : Message("{}: {}", sentence, stop_problem_);
    }
    std::vector<Message> parts;
    parts.push_back(progress.loss ? Message("finished {} in {}", text::steps(progress.step), text::duration(lasted))
                                  : Message("finished at once: the checkpoint that it resumed from has the last of {}",
                                            text::steps(progress.of)));
    if (progress.loss)
        parts.push_back(Message("loss {:.4f}", *progress.loss));
    if (progress.validation_loss)
        parts.push_back(Message("validation loss {:.4f}", *progress.validation_loss));
    return Message::joined(parts, ", ");
}

}  // namespace trainyard::launch
