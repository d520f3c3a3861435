// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_intake.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "launch/supervisor/oom.h"
#include "run/request_body.h"

namespace trainyard::launch {

RankIntake::RankIntake(const run::RunPaths& paths, const run::RunSpec& spec, const SupervisorOptions& options,
                       RankGroup& ranks, RunReport& report, RankWatch& watch, RequestInbox& requests,
                       RunControl& control)
    : options_(options),
      ranks_(ranks),
      report_(report),
      watch_(watch),
      requests_(requests),
      control_(control),
      remote_curves_(paths.metrics()) {
    if (spec.program)
        program_.emplace(paths, *spec.program);
}

void RankIntake::started(int rank, const ProcessId& process) {
    if (ranks_.find(rank) == nullptr)
        return;
    report_.change(rank).process = process;
    watch_.started(rank, monotonic_seconds());
    if (program_) {  // a worker runs once it has sent a message
        report_running(rank, "running");
        report_.end_idle_time();
    }
}

void RankIntake::report_running(int rank, const Message& text) {
    report_.change(rank).state = "running";
    const run::RunState& state = report_.state();
    if (state.status == run::Status::starting &&
        std::none_of(state.ranks.begin(), state.ranks.end(), [](const auto& r) { return r.state == "starting"; }))
        report_.set_status(run::Status::running, text);
}

void RankIntake::wrote(int number, std::string_view bytes, bool standard_error) {
    const RankGroup::Rank* rank = ranks_.find(number);
    if (rank == nullptr)
        return;
    report_.log(number).write(bytes);
    output_size_ += bytes.size();
    if (program_) {
        const bool changed = program_->wrote(number, bytes, standard_error);
        if (changed)
            report_.change_figures().progress = program_->progress();
        const std::int64_t step = report_.change_figures(number).step = program_->step_of(number);
        watch_.printed(number, step, changed ? program_->progress().step : -1, monotonic_seconds());
    }
    if (options_.output)
        options_.output(number, rank->local_rank, bytes, standard_error);
}

void RankIntake::look_for_event_files(bool ended) {
    const double now = monotonic_seconds();
    if (!program_)
        return;
    const auto is_local = [this](const run::RankState& rank) {
        const run::RunState& state = report_.state();
        return rank.host == state.supervisor_host ||
               (!state.machines.empty() && rank.host == state.machines.front().host);
    };
    for (std::size_t i = 0; i < report_.state().ranks.size(); ++i) {
        const run::RankState& rank = report_.state().ranks[i];
        if (ranks_[i].ended || rank.process.pid <= 0 || !is_local(rank))
            continue;
        if (const std::uint64_t bytes = program_->measure(rank.rank, rank.process.pid, now); bytes > 0)
            report_.change_figures(rank.rank).resident_bytes = bytes;
    }
    if (!(ended || program_->due(now)))
        return;
    std::vector<pid_t> processes;
    for (const run::RankState& rank : report_.state().ranks)
        if (!ranks_[static_cast<std::size_t>(rank.rank)].ended && is_local(rank))
            processes.push_back(rank.process.pid);
    for (const fs::path& file : program_->look(processes, now, ended))
        report_.record("note", Message("curves of the program: {}", file.string()));
}

void RankIntake::curves(const std::string& host, const EventPart& part) {
    try {
        if (const std::string file = remote_curves_.take(host, part);
            !file.empty() && program_ && file.find('/') == std::string::npos)
            report_.record("note", Message("curves of the program on {}: {}", host, file));
    } catch (const UserError& error) {
        report_.record("warning", Message("curves of {} are not written any more: {}", host, message_of(error)));
    }
}

void RankIntake::said(int number, const std::string& line) {
    if (ranks_.find(number) == nullptr)
        return;
    const run::RankState& rank = report_.state().ranks[static_cast<std::size_t>(number)];
    if (const std::optional<double> silent = watch_.heard(number, monotonic_seconds()))
        report_.record("note",
                       Message("rank {} on {} is heard again after {}", number, rank.host, text::duration(*silent)),
                       number, rank.step);
    if (rank.state == "starting")
        report_running(number, "training");
    try {
        std::visit([&](const auto& message) { take(number, message); }, parse_rank_message(line));
    } catch (const UserError& error) {
        report_.print(fmt::format("rank {}: {}: {:.200}", number, error.what(), line));
    }
}

void RankIntake::take(int rank, const Heartbeat& heartbeat) {
    run::RankState& state = report_.change_figures(rank);
    state.step = heartbeat.step;
    state.phase = heartbeat.phase;
    state.last_collective = heartbeat.collective;
    state.resident_bytes = heartbeat.resident_bytes;
    state.memory = heartbeat.memory;
    if (const std::optional<Message> slow = watch_.heartbeat(rank, heartbeat, monotonic_seconds()))
        report_.record("straggler", *slow, rank, heartbeat.step);
}

void RankIntake::take(int rank, const ProgressReport& report) {
    const double now = monotonic_seconds();
    report_.progress(report, now);
    run::RankState& state = report_.change_figures(rank);
    state.step = std::max(state.step, report.progress.step);
    watch_.progress(rank, report, now);
}

void RankIntake::take(int, const EventReport& report) {
    run::Event event = report.event;
    if (event.time == 0)
        event.time = wall_seconds();
    if (event.kind.empty())
        event.kind = "note";
    report_.append(event);
}

void RankIntake::take(int, const StoppingReport& report) {
    control_.stop_for_health(report.reason);
}

void RankIntake::take(int, const RequestOutcome& outcome) {
    const std::optional<run::Request> request = requests_.settle(outcome.id);
    if (!request)
        return;
    if (request->kind == run::StopRequest::kKind &&
        outcome.outcome != "done")  // one that is done shows in the ranks' ends
        control_.stop_refused(outcome);
    requests_.answer(*request, outcome.outcome, outcome.text);
}

void RankIntake::take(int rank, const FailureReport& report) {
    run::RankState& state = report_.change_figures(rank);
    state.step = std::max(state.step, report.step);
    if (!report.phase.empty())
        state.phase = report.phase;
    // Ranks are killed one after the other: one may miss another before its own signal comes.
    if (report.secondary && ranks_[static_cast<std::size_t>(rank)].killed)
        return;
    run::Failure failure;
    failure.exit_code = 1;
    failure.out_of_memory = report.out_of_memory;
    control_.suspect(rank, std::move(failure), report.message, report.secondary ? Weight::consequence : Weight::cause);
}

void RankIntake::ended(int number, int status, const Message& reason) {
    if (!ranks_.set_ended(number))
        return;
    watch_.ended(number);
    const bool killed = ranks_[static_cast<std::size_t>(number)].killed;
    run::RankState& state = report_.change(number);
    if (WIFEXITED(status)) {
        const int code = WEXITSTATUS(status);
        state.exit_code = code;
        state.state = code == kExitDone || code == kExitResumable ? "finished" : killed ? "killed" : "failed";
    } else {
        state.signal = WTERMSIG(status);
        state.state = killed ? "killed" : "failed";
    }
    if (!options_.foreground)
        report_.print(fmt::format(
            "rank {} ended: {}", number,
            state.signal ? signal_text(*state.signal).text() : fmt::format("exit code {}", *state.exit_code)));
    if (killed && !reason.empty())
        report_.record("warning", killed_rank_sentence(state, reason), number, state.step);
    if (state.state != "failed")
        return;
    run::Failure failure;
    failure.exit_code = state.exit_code;
    failure.signal = state.signal;
    failure.out_of_memory = is_out_of_memory(reason);
    const bool by_signal = state.signal && *state.signal != SIGABRT;
    control_.suspect(number, std::move(failure), reason, by_signal ? Weight::cause : Weight::unclear);
}

void RankIntake::lost(const std::string& host, const Message& reason) {
    const std::vector<int> lost = ranks_.lose_machine();
    for (const int rank : lost) {
        report_.change(rank).state = "lost";
        watch_.ended(rank);
    }
    std::vector<run::MachineState>& machines = report_.change().machines;
    if (ranks_.sender() < machines.size())
        machines[ranks_.sender()].state = "lost";
    const Message sentence("{} was lost: {}", host, reason);
    if (lost.empty())
        return report_.record("warning", sentence);
    control_.suspect(lost.front(), {}, sentence, Weight::cause);
}

void RankIntake::warned(const std::string& host, const Message& text) {
    report_.record("warning", Message("{}: {}", host, text));
}

}  // namespace trainyard::launch
