// SPDX-License-Identifier: GPL-3.0-or-later
// What state.json and labels.json say, as a row of the list shows it.

#include <algorithm>

#include "base/clock.h"
#include "base/printable.h"
#include "desktop/runs/run_scanner.h"
#include "desktop/text/qt_text.h"
#include "run/run_health.h"
#include "widgets/plot/log_ansi.h"

namespace trainyard::desktop {

namespace {
constexpr double kStallSteps = 5;   ///< times the usual time of a step
constexpr double kLeastStall = 10;  ///< seconds

/// In the order of run::Status.
constexpr RunPhase kPhaseOfStatus[] = {RunPhase::Queued,   RunPhase::Preparing, RunPhase::Starting, RunPhase::Running,
                                       RunPhase::Stopping, RunPhase::Finished,  RunPhase::Failed,   RunPhase::Stopped};
static_assert(std::size(kPhaseOfStatus) == static_cast<std::size_t>(run::Status::stopped) + 1);

/// `Rank 1 on gpu-a failed first, at step 412.` and the last line it printed.
QString detailsOf(const run::Failure& failure) {
    QStringList lines;
    if (failure.rank >= 0) {
        QString who = RunScanner::tr("Rank %1 failed first").arg(qt(run::rank_name(failure.rank, failure.place)));
        if (!failure.host.empty())
            who = RunScanner::tr("%1 on %2").arg(who, qt(failure.host));
        lines << RunScanner::tr("%1, at step %2.").arg(who).arg(failure.step);
    }
    for (auto line = failure.log.rbegin(); line != failure.log.rend(); ++line)
        if (const QString words = qt(widgets::plain_text(*line)).trimmed(); !words.isEmpty()) {
            lines << words;
            break;
        }
    return lines.join(QLatin1Char('\n'));
}
}  // namespace

QString RunScanner::thisMachine() {
    return tr("this machine");
}

QString RunScanner::nameFromId(const std::string& id) {
    const QStringList parts = qt(id).split(QLatin1Char('-'));
    return parts.size() > 3 ? parts.mid(2, parts.size() - 3).join(QLatin1Char('-')) : qt(id);
}

RunPhase RunScanner::phaseOf(const Entry& entry, double now) const {
    const run::RunState& state = *entry.state;
    // A mirror has times of this machine.
    const double there = state.mirror ? now : entry.clock.now();
    if (run::is_lost(state, there))
        return state.status == run::Status::queued ? RunPhase::Abandoned : RunPhase::Lost;
    if (!run::is_over(state.status) && state.mirror && run::is_unreachable(*state.mirror, now))
        return RunPhase::Unreachable;
    if (state.status != run::Status::running)
        return kPhaseOfStatus[static_cast<std::size_t>(state.status)];
    const auto any_rank_is = [&state](std::string_view phase) {
        return std::ranges::find(state.ranks, phase, &run::RankState::phase) != state.ranks.end();
    };
    if (any_rank_is("paused"))
        return RunPhase::Paused;
    if (run::is_silent(state, there))
        return RunPhase::Stalled;
    const run::Progress& progress = state.progress;
    if (!progress.eta_s || progress.of <= progress.step || any_rank_is("evaluate") || any_rank_is("save"))
        return RunPhase::Running;
    // eta_s is the median of the last steps times those that are left.
    const double step_time = *progress.eta_s / static_cast<double>(progress.of - progress.step);
    return monotonic_seconds() - entry.stepAt > std::max(kLeastStall, kStallSteps * step_time) ? RunPhase::Stalled
                                                                                               : RunPhase::Running;
}

void RunScanner::summarize(Entry& entry, double now) const {
    RunSummary& summary = entry.shown;
    if (!entry.state) {
        summary.ownName = nameFromId(entry.path.filename().string());
        summary.setLabels(entry.labels);
        summary.phase = entry.problem.empty() ? RunPhase::Preparing : RunPhase::Unreadable;
        summary.failure = qtSentence(entry.problem);
        return;
    }
    const run::RunState& state = *entry.state;
    if (state.progress.step != entry.step || entry.stepAt == 0) {
        entry.step = state.progress.step;
        entry.stepAt = monotonic_seconds();
    }
    summary.ownName = qt(text::printable(state.name));
    summary.setLabels(entry.labels);
    summary.phase = phaseOf(entry, now);
    summary.step = state.progress.step;
    summary.of = state.progress.of;
    summary.loss = state.progress.loss;
    summary.validationLoss = state.progress.validation_loss;
    summary.tokensPerSecond = state.progress.tokens_per_s;
    summary.eta = state.progress.eta_s;
    summary.created = state.created;
    summary.started = state.started;
    summary.ended = state.ended;
    summary.idle = state.idle_s.value_or(0);
    summary.idleSince = state.idle_since;
    summary.heartbeat = state.heartbeat;
    summary.ranks = static_cast<int>(state.ranks.size());
    summary.gpus = summary.ranksLeft = 0;
    QStringList hosts;
    auto addHost = [&](const std::string& name) {
        // The machine of a mirrored run may have the name of this one; it is called as the user calls it.
        const bool mirrored = state.mirror && (name.empty() || name == "localhost" || name == state.supervisor_host);
        const bool here = !mirrored && (name.empty() || name == host_ || name == "localhost");
        const QString host = here ? thisMachine() : qt(mirrored ? state.mirror->host : name);
        if (!hosts.contains(host))
            hosts << host;
    };
    for (const run::RankState& rank : state.ranks) {
        summary.gpus += rank.device.starts_with("cuda") ? 1 : 0;
        summary.ranksLeft += rank.state == "running" || rank.state == "starting" ? 1 : 0;
        addHost(rank.host);
    }
    if (state.ranks.empty())  // where they will be
        for (const run::MachineState& machine : state.machines)
            addHost(machine.host);
    summary.queuePlace = summary.phase == RunPhase::Queued ? state.queue_place : 0;
    summary.queue = summary.phase == RunPhase::Queued
                        ? qt(state.mirror ? state.mirror->host : entry.path.parent_path().string())
                        : QString();
    if (hosts != summary.hosts)
        summary.hosts = hosts;
    summary.message = summary.phase == RunPhase::Abandoned ? tr("This run lost its place in the queue. Queue it again.")
                                                           : qtSentence(state.message);
    summary.failure = state.first_failure ? qtSentence(state.first_failure->message) : QString();
    summary.failureDetails = state.first_failure ? detailsOf(*state.first_failure) : QString();
    if (summary.phase == RunPhase::Lost && summary.failure.isEmpty())
        summary.failure = tr("The supervisor of this run ended without a message.");
    if (summary.phase == RunPhase::Unreachable)
        summary.message =
            tr("No contact with %1 since %2.").arg(qt(state.mirror->host), qt(iso_time(state.mirror->contact)));
    if (summary.phase == RunPhase::Stalled)
        summary.message = tr("No step for %1 s.").arg(static_cast<int>(monotonic_seconds() - entry.stepAt));
}

}  // namespace trainyard::desktop
