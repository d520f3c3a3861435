// Supervisor: what ranks say and write, and what becomes of it in state, journal and logs.

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kLongestBacklog = 500;  // events that wait for room on the disk
}

Supervisor::Rank* Supervisor::find(int rank) {
    bool known = rank >= 0 && static_cast<std::size_t>(rank) < ranks_.size();
    // News of a machine are of its own ranks; whatever else it says is not believed.
    return known && ranks_[static_cast<std::size_t>(rank)].machine == taking_ ? &ranks_[static_cast<std::size_t>(rank)]
                                                                              : nullptr;
}

void Supervisor::started(int number, const ProcessId& process) {
    Rank* rank = find(number);
    if (rank == nullptr)
        return;
    rank->state->process = process;
    rank->heard = rank->changed = moved_ = monotonic_seconds();
    state_changed_ = true;
    if (!spec_.program)
        return;  // a worker runs once it has spoken
    rank->state->state = "running";
    if (std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.state->state != "starting"; }) &&
        state_.status == run::Status::starting)
        set_status(run::Status::running, "running");
}

void Supervisor::wrote(int number, std::string_view bytes, bool standard_error) {
    Rank* rank = find(number);
    if (rank == nullptr)
        return;
    rank->log->write(bytes);
    taken_output_ += bytes.size();
    if (program_)
        read_progress(*rank, bytes, standard_error);
    if (options_.output)
        options_.output(number, rank->local_rank, bytes, standard_error);
}

void Supervisor::read_progress(Rank& rank, std::string_view bytes, bool standard_error) {
    moved(rank, false);
    if (program_->wrote(rank.state->rank, bytes, standard_error)) {
        const run::Progress& seen = program_->progress();
        state_.progress = seen;
        if (seen.step > newest_step_)
            moved(rank, true);
    }
    rank.state->step = program_->step_of(rank.state->rank);
    figures_changed_ = true;
}

void Supervisor::link_event_files(bool ended) {
    double now = monotonic_seconds();
    if (!program_ || !(ended || program_->due(now)))
        return;
    std::vector<pid_t> processes;
    for (const Rank& rank : ranks_)
        if (!rank.ended && rank.state->host == state_.supervisor_host)
            processes.push_back(rank.state->process.pid);
    for (const fs::path& file : program_->look(processes, now, ended))
        record("note", Message("curves of the program: {}", file.string()));
}

void Supervisor::curves(const std::string& host, const EventPart& part) {
    try {
        if (std::string file = far_curves_.take(host, part);
            !file.empty() && spec_.program && file.find('/') == std::string::npos)
            record("note", Message("curves of the program on {}: {}", host, file));
    } catch (const UserError& error) {
        record("warning", Message("curves of {} are not written any more: {}", host, message_of(error)));
    }
}

void Supervisor::said(int number, const std::string& line) {
    Rank* rank = find(number);
    if (rank == nullptr)
        return;
    double now = monotonic_seconds();
    if (std::exchange(rank->silent, false))
        record("note",
               Message("rank {} on {} is heard again after {}", number, rank->state->host,
                       text::duration(now - rank->heard)),
               number, rank->state->step);
    rank->heard = now;
    if (rank->state->state == "starting") {
        rank->state->state = "running";
        state_changed_ = true;
        bool all = std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.state->state == "running"; });
        if (all && state_.status == run::Status::starting)
            set_status(run::Status::running, "training");
    }
    try {
        std::visit([&](const auto& message) { take(*rank, message); }, parse_rank_message(line));
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s rank %d: %s: %.200s\n", iso_time(wall_seconds()).c_str(), number, error.what(),
                     line.c_str());
    }
}

void Supervisor::moved(Rank& rank, bool step) {
    rank.changed = moved_ = monotonic_seconds();
    still_ = false;
    if (step)
        newest_step_ = std::max(newest_step_, rank.state->step);
    if (step && machine_)
        machine_->set_step(newest_step_);
}

void Supervisor::take(Rank& rank, const Heartbeat& heartbeat) {
    run::RankState& state = *rank.state;
    bool step = heartbeat.step > state.step;
    bool changed = step || heartbeat.phase != state.phase || heartbeat.collective != state.last_collective ||
                   heartbeat.waits_for != rank.waits_for;
    state.step = heartbeat.step;
    state.phase = heartbeat.phase;
    state.last_collective = heartbeat.collective;
    state.resident_bytes = heartbeat.resident_bytes;
    rank.waits_for = heartbeat.waits_for;
    if (changed)
        moved(rank, step);
    if (heartbeat.own_step_s > 0)
        if (auto slow = slow_ranks_.step(state.rank, state.step, heartbeat.own_step_s, static_cast<int>(ranks_.size())))
            record("straggler", *slow, state.rank, state.step);
    figures_changed_ = true;
}

void Supervisor::take(Rank& rank, const ProgressReport& report) {
    run::Progress progress = report.progress;
    meter_.report(progress.step, report.step_s, monotonic_seconds());
    progress.eta_s = meter_.eta(progress.step, progress.of);
    // A report names what is new; what it leaves out is still true.
    if (progress.of == 0)
        progress.of = state_.progress.of;
    if (!progress.loss)
        progress.loss = state_.progress.loss;
    if (!progress.validation_loss)
        progress.validation_loss = state_.progress.validation_loss;
    if (!progress.tokens_per_s)
        progress.tokens_per_s = state_.progress.tokens_per_s;
    if (report.step_s)
        step_s_ = std::max(*report.step_s, 0.9 * step_s_);
    bool step = progress.step > newest_step_;
    state_.progress = progress;
    reported_step_ = progress.step;
    rank.state->step = std::max(rank.state->step, progress.step);
    if (step)
        moved(rank, true);
    figures_changed_ = true;
}

void Supervisor::take(Rank& rank, const EventReport& report) {
    run::Event event = report.event;
    if (event.time == 0)
        event.time = wall_seconds();
    if (event.kind.empty())
        event.kind = "note";
    (void)rank;
    append(event);
}

void Supervisor::take(Rank& rank, const StoppingReport& report) {
    (void)rank;
    health_stop_ = report.reason;
    if (!is_failing(lifecycle_))
        set_status(run::Status::stopping, Message("stopping: {}", report.reason));
}

void Supervisor::take(Rank& rank, const RequestOutcome& outcome) {
    (void)rank;
    auto found = unanswered_.find(outcome.id);
    if (found == unanswered_.end())
        return;
    run::Request request = found->second;
    unanswered_.erase(found);
    // A stop that the worker refuses leaves the run as it was, and those that repeated it have their answer, too; one that is done shows
    // in the ranks' ends.
    if (request.kind == "stop" && outcome.outcome != "done") {
        go(SupervisorEvent::stop_refused);
        stopping_since_ = 0;
        std::erase_if(unanswered_, [&](const auto& other) {
            if (other.second.kind != "stop")
                return false;
            answer(other.second, outcome.outcome.c_str(), outcome.text);
            return true;
        });
        if (state_.status == run::Status::stopping && lifecycle_ == SupervisorState::running)
            set_status(run::Status::running, "training");
    }
    answer(request, outcome.outcome.c_str(), outcome.text);
}

void Supervisor::take(Rank& rank, const FailureReport& report) {
    rank.state->step = std::max(rank.state->step, report.step);
    if (!report.phase.empty())
        rank.state->phase = report.phase;
    run::Failure failure;
    failure.exit_code = 1;
    suspect(rank, failure, report.message, report.secondary ? Weight::consequence : Weight::cause);
}

void Supervisor::set_status(run::Status status, const Message& message) {
    state_.status = status;
    state_.message = message;
    state_changed_ = true;
    if (!options_.foreground) {
        // `finished 200 steps in 33 s` begins with the status already.
        const std::string word = run::to_string(status);
        const std::string line = message.text().starts_with(word) ? message.text() : word + ": " + message.text();
        std::fprintf(stderr, "%s %s\n", iso_time(wall_seconds()).c_str(), line.c_str());
    }
}

void Supervisor::record(const char* kind, const Message& text, int rank, std::int64_t step, const std::string& path) {
    run::Event event;
    event.time = wall_seconds();
    event.kind = kind;
    event.text = text;
    event.rank = rank;
    event.step = step;
    event.path = path;
    append(event);
}

void Supervisor::append(const run::Event& event) {
    backlog_.push_back(event);
    if (backlog_.size() > kLongestBacklog)
        backlog_.pop_front();
    write_backlog();
    if (options_.happened)
        options_.happened(event);
}

void Supervisor::write_backlog() {
    if (!folder_is_ours_)
        return;
    try {
        for (; !backlog_.empty(); backlog_.pop_front())
            run::append_event(paths_, backlog_.front());
        journal_failed_ = false;
    } catch (const UserError& error) {
        if (!journal_failed_)
            std::fprintf(stderr, "%s\n", error.what());
        journal_failed_ = true;
    }
}

double Supervisor::state_due() const {
    return written_ + (state_changed_     ? options_.state_gap_s
                       : figures_changed_ ? options_.figures_gap_s
                                          : options_.state_every_s);
}

void Supervisor::write_state_when_due() {
    double now = monotonic_seconds();
    if (now < state_due())
        return;
    watch_folder();
    written_ = now;
    if (!folder_is_ours_)
        return;
    for (std::size_t i = 0; i < participants_.size() && i < state_.machines.size(); ++i)
        state_.machines[i].last_contact = participants_[i].machine->last_contact();
    try {
        run::write_state(paths_, state_, false);
        state_changed_ = figures_changed_ = false;
        write_failed_ = false;
        write_backlog();
    } catch (const UserError& error) {
        if (!write_failed_)
            std::fprintf(stderr, "%s\n", error.what());
        write_failed_ = true;
    }
}

}  // namespace trainyard::launch
