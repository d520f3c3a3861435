// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/supervisor.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/output_batching.h"
#include "run/listing.h"
#include "run/request_body.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kFailureLines = 10;

std::string kernel_release() {
    utsname system{};
    return ::uname(&system) == 0 ? system.release : "";
}

run::Request stop_request(const std::string& id, const std::string& from) {
    run::Request request = run::make_request(run::StopRequest(), from);
    request.id = id;
    return request;
}

void print(const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace

Supervisor::Supervisor(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool)
    : paths_(run.paths),
      spec_(std::move(run.spec)),
      options_(std::move(options)),
      pool_(std::move(pool)),
      ranks_(run, spec_),
      report_(paths_, std::move(run.state), options_),
      watch_(options_, spec_, [this](int rank) { return ranks_.condition(rank); }),
      restarts_(options_, spec_),
      ending_(options_, spec_),
      queue_(paths_, options_.queue_look_s),
      requests_(paths_, options_.request_poll_s),
      folder_(paths_),
      intake_(paths_, spec_, options_, ranks_, report_, watch_, requests_, *this) {
    if (pool_)
        return;
    std::vector<run::MachineSpec> machines = run::machines_of(spec_.launch);
    if (machines.size() > 1)
        throw UserError("{} cannot be reached without its agent: start the run on all its machines", machines[1].host);
    auto fixed = std::make_unique<FixedPool>();
    // `trainyard launch --hosts` names the host as the user does.
    const bool named = !spec_.launch.machines.empty() && machines.front().host != "localhost";
    fixed->add(std::make_unique<LocalMachine>(named ? machines.front().host : host_name()), machines.front().ranks,
               machines.front().address);
    pool_ = std::move(fixed);
}

Supervisor::~Supervisor() {
    pool_.reset();  // and with it the ranks that are left
    if (signals_)
        ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Supervisor::go(SupervisorEvent event) {
    const std::optional<SupervisorState> next = next_state(lifecycle_, event);
    if (!next)
        throw std::logic_error(
            fmt::format("the supervisor is {}, where {} is impossible", to_string(lifecycle_), to_string(event)));
    lifecycle_ = *next;
}

void Supervisor::open_descriptors() {
    sigset_t mask;
    sigemptyset(&mask);
    for (int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1})
        sigaddset(&mask, number);
    ::sigprocmask(SIG_BLOCK, &mask, &old_mask_);
    signals_ = FileDescriptor(::signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!signals_)
        throw UserError("cannot watch the ranks: no descriptor is free for signals");
    folder_.begin();
    requests_.watch_folder();
}

void Supervisor::start() {
    open_descriptors();
    report_.change().supervisor = this_process();
    if (Message problem = old_kernel_warning(kernel_release(), host_name()); !problem.empty())
        report_.record("warning", problem);
    if (const std::int64_t most = report_.state().batch_size; most > 0)
        report_.record("note", Message("micro-batches of at most {}, as before the checkpoint", text::samples(most)));
    if (report_.state().status == run::Status::queued) {
        queue_.enter(spec_);
        began_ = monotonic_seconds();
        pool_->open();  // agents of other machines may join now and stay
        report_.record("phase", Message("queued on {}", report_.state().supervisor_host));
    } else {
        begin();
    }
    write_state_when_due();
}

int Supervisor::watch() {
    try {
        sync_path(paths_.spec());
        sync_path(paths_.root());
    } catch (const UserError& error) {
        print(error.what());
    }
    for (;;) {
        wait_for_something();
        take_signals();
        if (guard_is_gone() && lifecycle_ != SupervisorState::killing && lifecycle_ != SupervisorState::cancelled) {
            report_.record("warning", "the launcher of this run was killed: its ranks end with it");
            kill_all();
        }
        pool_->take();
        for (const Message& note : pool_->take_notes())
            report_.record("note", note);
        ranks_.take(intake_);
        if (recorder_ && watch_.newest_step() > 0)
            recorder_->set_step(watch_.newest_step());
        settle_first_failure();
        end_remaining_ranks();
        for (const run::Request& request : requests_.take(monotonic_seconds()))
            take_request(request);
        grow_when_possible();
        watch_ranks();
        write_state_when_due();
        if (lifecycle_ == SupervisorState::cancelled)
            break;
        if (!has_ranks(lifecycle_)) {
            try {
                queue_.waits() ? look_at_queue() : begin_when_ready();
            } catch (const UserError& error) {
                fail(error.message());
            }
        } else if (ranks_.have_ended() && !begin_restart()) {
            break;
        }
    }
    return finish();
}

double Supervisor::next_look() const {
    const double now = monotonic_seconds();
    double due = std::min({report_.due(), now + options_.request_poll_s, now + options_.heartbeat_s / 2});
    if (is_failing(lifecycle_) || ending_.stopping_since() > 0)
        due = std::min(due, now + 0.02);
    if (queue_.waits())
        due = std::min(due, queue_.due());
    else if (!has_ranks(lifecycle_))
        due = std::min(due, restarts_.start_time() > now ? restarts_.start_time() : now + 0.2);
    return std::clamp(due - now, report_.has_failed() ? 0.2 : 0.001, 10.0);
}

void Supervisor::wait_for_something() {
    std::vector<pollfd> descriptors{{signals_.get(), POLLIN, 0}, {requests_.descriptor(), POLLIN, 0}};
    pool_->add_descriptors(descriptors);
    ranks_.add_descriptors(descriptors);
    // Each rank reports twenty times a second, so the reports of one interval are read together. Not while ranks are
    // expected to end, nor while a rank prints so much that it would block on a full pipe.
    const bool batches = report_.state().status == run::Status::running && !is_failing(lifecycle_) &&
                         ending_.stopping_since() == 0 && woke_ - restarts_.began() > kBatchingDelay &&
                         intake_.take_output_size() < kBatchingMaxOutput;
    const double rest = woke_ + kBatchingInterval - monotonic_seconds();
    if (batches && rest > 0)
        ::usleep(static_cast<useconds_t>(rest * 1e6));
    ::poll(descriptors.data(), descriptors.size(), static_cast<int>(next_look() * 1000) + 1);
    woke_ = monotonic_seconds();
}

void Supervisor::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const int number = static_cast<int>(info.ssi_signo);
        if (number == SIGHUP && !options_.foreground)
            continue;
        if (number == SIGUSR1 && spec_.program) {
            // A notice to the program, which may save and end, or do something else.
            report_.record("note", "SIGUSR1 is handed on to the ranks");
            ranks_.signal(SIGUSR1);
            continue;
        }
        ending_.set_signal(number);
        // Senders such as timeout and batch systems repeat signals and mean the same; a second Ctrl-C was pressed by a
        // user who sees that the first one has not ended the run yet. What a terminal sends comes from the kernel.
        if (number == SIGINT && info.ssi_code == SI_KERNEL && is_stop_asked(lifecycle_)) {
            report_.record("request", "kill asked: Ctrl-C was pressed again");
            kill_all();
            continue;
        }
        stop(stop_request(fmt::format("signal-{}-{}", number, report_.state().progress.step), signal_text(number)),
             number);
    }
}

void Supervisor::write_state_when_due() {
    const double now = monotonic_seconds();
    if (now < report_.due())
        return;
    watch_folder();
    report_.write(now, ranks_.last_contacts());
}

int Supervisor::finish() {
    recorder_.reset();
    report_.record_lost_output();
    intake_.look_for_event_files(true);
    settle_first_failure();
    watch_folder();
    run::RunState& state = report_.change();
    if (folder_.was_lost())
        state.first_failure->message = folder_.sentence(spec_.program.has_value(), state.progress.step);
    const run::Status status = ending_.status(state, lifecycle_, any_resumable());
    state.ended = wall_seconds();
    report_.end_idle_time();
    if (status == run::Status::finished)
        state.progress.eta_s = 0;
    else
        state.progress.eta_s.reset();
    report_machines("ended");
    // The wall clock may have been set in the meantime.
    const Message sentence = queue_.waits() && status != run::Status::failed
                                 ? Message("taken out of the queue before it started")
                                 : ending_.sentence(status, state, lifecycle_,
                                                    monotonic_seconds() - began_ - state.idle_s.value_or(0), paths_);
    // A failure that the journal has already is not repeated.
    const bool is_known =
        !folder_.was_lost() && status == run::Status::failed && state.first_failure->message == sentence;
    report_.record(folder_.was_lost() ? "failure" : "phase", is_known ? Message("failed") : sentence, -1,
                   state.progress.step);
    requests_.close(status, ending_.has_stop_failed(), sentence);
    if (queue_.waits())
        leave_queue();
    report_.set_status(status, sentence);
    report_.write_last();
    const int code = ending_.exit_code(status, state);
    pool_->over(code, sentence);
    return code;
}

void Supervisor::look_at_queue() {
    const std::optional<run::QueueWatch::Look> look = queue_.look(monotonic_seconds(), [this] {
        run::RunState begun = report_.state();
        begun.status = run::Status::starting;
        begun.message = "its turn has come";
        run::write_state(paths_, begun, false);
        report_.change() = std::move(begun);
    });
    if (!look)
        return;
    if (look->started) {
        leave_queue();
        report_.record("phase", "its turn has come");
        return begin();
    }
    report_.change().queue_place = look->place;
    report_.set_status(run::Status::queued, look->waits_for);
}

void Supervisor::leave_queue() {
    queue_.leave();
    report_.change().queue_place = 0;
}

void Supervisor::begin() {
    run::RunState& state = report_.change();
    const double now = wall_seconds();
    if (state.started > 0)  // a run that was stopped continues
        report_.restart_progress();
    else
        state.started = now;
    began_ = monotonic_seconds() - (now - state.started);
    recorder_ = std::make_unique<MachineRecorder>(paths_.metrics(), host_name());
    go(SupervisorEvent::turn_came);
    await_machines();
    begin_when_ready();
}

void Supervisor::await_machines(double wait_s) {
    restarts_.await_machines(monotonic_seconds(), wait_s);
    pool_->open();
    report_.set_status(run::Status::starting,
                       report_.state().generation == 1 ? Message("waiting for machines") : Message("starting again"));
}

void Supervisor::begin_when_ready() {
    const double now = monotonic_seconds();
    if (now < restarts_.start_time())
        return;
    std::vector<Participant> participants = pool_->participants();
    if (restarts_.are_enough(participants.size(), now))
        return begin_generation(std::move(participants));
    const Message missing = pool_->missing();
    const std::string limit = text::duration(spec_.launch.join_timeout_s);
    if (restarts_.gives_up(now))
        return fail(Message("{} did not join within {}", missing.empty() ? Message("a machine") : missing, limit));
    const Message message = missing.empty() ? Message("waiting for machines") : Message("waiting for {}", missing);
    if (message == report_.state().message)
        return;
    report_.set_status(run::Status::starting, message);
    report_.record("phase", Message("{}, up to {}", message, limit));
}

void Supervisor::begin_generation(std::vector<Participant> participants) {
    pool_->close();
    const run::RunState& state = report_.state();
    // The fence: ranks that still run under a lower number write no checkpoint any more.
    try {
        write_file_atomically(paths_.generation(), std::to_string(state.generation) + "\n", false);
    } catch (const UserError& error) {
        print(error.what());
    }
    ranks_.assign(std::move(participants),
                  {.number = state.generation, .restarts = state.restarts, .batch_size = state.batch_size});
    report_.change().ranks = ranks_.states();
    report_.open_logs(ranks_.size());
    go(SupervisorEvent::start_ranks);
    const double now = monotonic_seconds();
    restarts_.begin(now);
    watch_.begin(state.ranks, now);
    report_machines("running");
    const Message what = text::ranks(static_cast<std::int64_t>(ranks_.size())), where = ranks_.places();
    report_.set_status(run::Status::starting, Message("starting {}", what));
    try {
        ranks_.start(intake_);
    } catch (const UserError&) {
        for (int rank = 0; static_cast<std::size_t>(rank) < ranks_.size(); ++rank)
            if (ranks_[static_cast<std::size_t>(rank)].ended)
                watch_.ended(rank);
        throw;
    }
    if (spec_.program)
        return report_.record("phase", Message("started {} on {}", what, where));
    const int count = threads_per_rank(spec_.launch, ranks_.machines().front().ranks);
    report_.record("phase",
                   count == 1
                       ? Message("started {} on {} ({}), {} thread each", what, where, spec_.launch.device, count)
                       : Message("started {} on {} ({}), {} threads each", what, where, spec_.launch.device, count));
}

void Supervisor::grow_when_possible() {
    const double now = monotonic_seconds();
    if (lifecycle_ != SupervisorState::running || pool_->waiting() == 0 || ranks_.have_ended() ||
        !restarts_.may_grow(ranks_.machines().size(), watch_.newest_step(), now))
        return;
    go(SupervisorEvent::grow);
    if (spec_.program) {
        // Only the program knows when it saves: as under torchrun it gets a signal.
        report_.record("note",
                       "a machine has come that the run can use: the ranks are sent SIGTERM and start again with it");
        ending_.begin_stop(now);
        return ranks_.end(SIGTERM);
    }
    report_.record("note",
                   "a machine has come that the run can use: the ranks save a checkpoint and start again with it", -1,
                   report_.state().progress.step);
    ranks_.send(request_line(stop_request(fmt::format("growth-{}", report_.state().generation), "supervisor")));
}

bool Supervisor::begin_restart() {
    settle_first_failure();
    const run::RunState& state = report_.state();
    if (!state.first_failure) {
        if (lifecycle_ != SupervisorState::growing || !(spec_.program || any_resumable()))
            return false;
        report_.record("restart",
                       spec_.program ? Message("all ranks start again, on more machines")
                                     : Message("all ranks start again from the newest checkpoint, on more machines"),
                       -1, state.progress.step);
        begin_again(0);
        return true;
    }
    if (const std::optional<bool> again = begin_smaller_batches())
        return *again;
    const Restarts::Decision next = restarts_.after_failure(*state.first_failure, ends_for_good(lifecycle_),
                                                            state.restarts, watch_.newest_step(), monotonic_seconds());
    if (!next.why_not.empty())
        report_.record("note", Message("the ranks are not started again: {}", next.why_not));
    if (!next.again)
        return false;
    const int number = ++report_.change().restarts, most = spec_.launch.max_restarts;
    const Message again = spec_.program ? Message("all ranks start again")
                          : run::has_checkpoint(paths_)
                              ? Message("all ranks start again from the newest checkpoint")
                              : Message("all ranks start again from the beginning, there is no checkpoint");
    report_.record("restart",
                   next.wait_s > 0
                       ? Message("restart {} of {}: {} in {}", number, most, again, text::duration(next.wait_s))
                       : Message("restart {} of {}: {}", number, most, again),
                   -1, state.progress.step);
    requests_.answer_all("failed", "the ranks failed before it was done; they start again");
    begin_again(next.wait_s);
    return true;
}

std::optional<bool> Supervisor::begin_smaller_batches() {
    const run::RunState& state = report_.state();
    const int ranks = static_cast<int>(ranks_.size());
    const std::optional<std::int64_t> smaller =
        ends_for_good(lifecycle_) ? std::nullopt
                                  : restarts_.smaller_batch(*state.first_failure, ranks, state.batch_size);
    if (!smaller)
        return std::nullopt;
    const run::Failure& failure = *state.first_failure;
    const std::int64_t tried = config::on_ranks(spec_.recipe, ranks, state.batch_size).training.batch_size;
    if (*smaller == 0) {
        report_.record(
            "oom",
            Message("micro-batches of {} run out of memory, and there are no smaller ones: the ranks are not started "
                    "again",
                    text::samples(tried)),
            failure.rank, failure.step);
        return false;
    }
    const config::TrainingRecipe training = config::on_ranks(spec_.recipe, ranks, *smaller).training;
    report_.record(
        "oom",
        Message("all ranks start again with micro-batches of {} instead of {}, {} for an update: an update has as "
                "many samples as before",
                text::samples(training.batch_size), tried, training.gradient_accumulation_steps),
        failure.rank, failure.step);
    report_.change().batch_size = training.batch_size;
    requests_.answer_all("failed", "the ranks failed before it was done; they start again");
    begin_again(0);
    return true;
}

void Supervisor::begin_again(double wait_s) {
    go(SupervisorEvent::restart);
    run::RunState& state = report_.change();
    ++state.generation;
    state.first_failure.reset();
    report_.restart_progress();
    ending_.begin_generation();
    await_machines(wait_s);
}

void Supervisor::report_machines(const char* state) {
    std::vector<run::MachineState>& machines = report_.change().machines;
    machines = ranks_.machine_states(machines, state);
}

bool Supervisor::any_resumable() const {
    const std::vector<run::RankState>& ranks = report_.state().ranks;
    return std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank.exit_code == kExitResumable; });
}

void Supervisor::preempted(const std::string& host, const Message& reason) {
    if (is_stop_asked(lifecycle_))
        return;
    report_.record("note", Message("{} is taken away: {}", host, reason));
    stop(stop_request("signal-of-" + host, host));
}

void Supervisor::stop_for_health(const Message& reason) {
    ending_.set_health_stop(reason);
    if (!is_failing(lifecycle_))
        report_.set_status(run::Status::stopping, Message("stopping: {}", reason));
}

/// The run is as it was before. Those that repeated the stop are answered, too.
void Supervisor::stop_refused(const RequestOutcome& outcome) {
    go(SupervisorEvent::stop_refused);
    ending_.end_stop();
    requests_.answer_all(outcome.outcome, outcome.text, run::StopRequest::kKind);
    if (report_.state().status == run::Status::stopping && lifecycle_ == SupervisorState::running)
        report_.set_status(run::Status::running, "training");
}

void Supervisor::suspect(int rank, run::Failure seen, const Message& reason, Weight weight) {
    // Ranks are in step; rank 0's progress is newer than the last heartbeat of a rank that was killed between two.
    run::RankState& state = report_.change(rank);
    state.step = std::max(state.step, watch_.reported_step());
    seen.log = report_.log(rank).last_lines(kFailureLines);
    const double now = monotonic_seconds();
    const run::Failure failure = ending_.suspect(state, std::move(seen), reason, weight, now);
    if (std::optional<run::Failure>& first = report_.change().first_failure; first && first->rank == rank) {
        // Named already by its own message; now it is known how it ended.
        first->exit_code = failure.exit_code;
        first->signal = failure.signal;
        first->log = failure.log;
    }
    const bool failing = is_failing(lifecycle_);
    go(SupervisorEvent::rank_failed);
    if (!failing && is_failing(lifecycle_)) {
        ending_.begin_failing(now);
        report_.set_status(run::Status::stopping, "a rank failed, ending the others");
    }
}

void Supervisor::settle_first_failure() {
    if (report_.state().first_failure)
        return;
    const run::Failure* failure = ending_.verdict(monotonic_seconds(), ranks_.have_ended());
    if (failure == nullptr)
        return;
    report_.change().first_failure = *failure;
    report_.change().message = failure->message;
    report_.record("failure", failure->message, failure->rank, failure->step);
}

void Supervisor::fail(const Message& message) {
    go(SupervisorEvent::cannot_go_on);
    run::RunState& state = report_.change();
    run::Failure& failure = state.first_failure.emplace();
    failure.host = state.supervisor_host;
    failure.step = state.progress.step;
    failure.message = message;
    failure.time = wall_seconds();
    report_.record("failure", message);
}

void Supervisor::watch_ranks() {
    if (!has_ranks(lifecycle_) || is_failing(lifecycle_) || lifecycle_ == SupervisorState::killing ||
        ranks_.have_ended())
        return;
    const std::optional<RankWatch::Findings> found = watch_.look(monotonic_seconds());
    if (!found)
        return;
    intake_.look_for_event_files(false);
    for (const RankWatch::Warning& warning : found->warnings)
        if (spec_.program)
            report_.record("warning", warning.text, *warning.rank);
        else
            report_.record_hang(warning.text, found->ranks, warning.rank);
    if (!found->hang)
        return;
    suspect(*found->hang->rank, {}, found->hang->text, Weight::cause);
    ending_.skip_grace();
    ranks_.end(SIGKILL);
}

void Supervisor::end_remaining_ranks() {
    const double now = monotonic_seconds(), since = ending_.stopping_since();
    if (is_failing(lifecycle_)) {
        if (const std::optional<int> signal = ending_.due_signal(now))
            ranks_.end(*signal);
    } else if (since > 0 && has_ranks(lifecycle_) && now >= watch_.stop_deadline(since, now)) {
        end_overdue_stop(now);
    }
}

void Supervisor::end_overdue_stop(double now) {
    const Message sentence("the ranks did not end within {} after they were asked to and are killed",
                           text::duration(now - ending_.stopping_since()));
    ending_.end_stop();
    const RankWatch::Findings found = watch_.overdue(sentence, now);
    const RankWatch::Warning& warning = found.warnings.front();
    if (spec_.program)
        report_.record("warning", sentence);
    else
        report_.record_hang(warning.text, found.ranks, warning.rank);
    if (lifecycle_ != SupervisorState::growing) {
        ending_.stop_failed(spec_.program ? sentence : warning.text);
        if (!spec_.program)
            go(SupervisorEvent::kill);
    }
    ranks_.end(SIGKILL);
}

/// A run whose folder is lost can be neither seen nor stopped: it stops at once, with a checkpoint in a folder that is
/// made again in the same place, and ends as failed.
void Supervisor::watch_folder() {
    const RunFolderWatch::Look look = folder_.look();
    if (look.state == RunFolderWatch::State::there)
        return;
    report_.print(look.sentence);
    const bool was_asked_to_stop = is_stop_asked(lifecycle_);
    const bool made_again =
        look.state != RunFolderWatch::State::taken && !queue_.waits() && make_folder_again(look.sentence);
    if (!made_again) {
        folder_.abandon(look.sentence);
        report_.abandon_folder();
        requests_.abandon_folder();
    }
    fail(look.sentence);
    if (!made_again || ranks_.have_ended())
        return kill_all();
    if (!was_asked_to_stop)
        stop(stop_request("signal-of-lost-folder", "supervisor"));
    report_.set_status(run::Status::stopping, Message("{}: it is stopped", look.sentence));
}

bool Supervisor::make_folder_again(const Message& problem) {
    try {
        folder_.make_again(problem, spec_, report_.state().generation);
        report_.reopen_logs(ranks_.size());
    } catch (const UserError& error) {
        print(error.what());
        return false;
    }
    requests_.watch_folder();
    if (!options_.foreground) {  // standard output and error are the supervisor's log
        const FileDescriptor log(
            ::open(paths_.supervisor_log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        for (int stream : {STDOUT_FILENO, STDERR_FILENO})
            if (log)
                ::dup2(log.get(), stream);
    }
    return true;
}

void Supervisor::take_request(const run::Request& request) {
    const run::RequestBody body = run::request_body(request);
    if (const auto* note = std::get_if<run::NoteRequest>(&body))
        return take_note(request, *note);
    report_.record("request", request.from.empty() ? Message("{} asked", request.kind)
                                                   : Message("{} asked from the {}", request.kind, request.from));
    if (std::holds_alternative<run::KillRequest>(body)) {
        requests_.expect(request);
        kill_all();
    } else if (std::holds_alternative<run::StopRequest>(body)) {
        stop(request);
    } else if (queue_.waits() || std::holds_alternative<run::MoveRequest>(body) ||
               std::holds_alternative<run::StartRequest>(body)) {
        const QueueTurn::Answer answer = queue_.take(body);
        requests_.answer(request, answer.outcome, answer.text);
    } else if (spec_.program) {
        requests_.answer(request, "refused",
                         Message("a program of one's own takes stop, kill and note, not {}", request.kind));
    } else if (!rank_0_listens()) {
        requests_.answer(request, "failed",
                         !has_ranks(lifecycle_) ? Message("no ranks run now") : Message("rank 0 has ended"));
    } else {
        requests_.expect(request);
        ranks_.send(request_line(request));
    }
}

void Supervisor::take_note(const run::Request& request, const run::NoteRequest& note) {
    report_.record("note", note.text, -1, note.step.value_or(report_.state().progress.step));
    requests_.answer(request, "done", "noted");
}

void Supervisor::stop(const run::Request& request, int signal) {
    const bool saves = std::get<run::StopRequest>(run::request_body(request)).checkpoint;
    requests_.expect(request);
    // Two users, or a user and a script, may ask for the same: only a request without a checkpoint changes a stop under
    // way.
    const bool asked = is_stop_asked(lifecycle_);
    const bool gives_up_checkpoint = asked && ending_.saves() && !saves && !spec_.program;
    if (asked ? !gives_up_checkpoint : ends_for_good(lifecycle_))
        return;
    if (!asked)
        ending_.begin_stop(monotonic_seconds());
    go(SupervisorEvent::stop);
    ending_.set_saves(saves);
    if (queue_.waits())
        return;  // the loop ends
    if (!is_failing(lifecycle_))
        report_.set_status(run::Status::stopping,
                           spec_.program ? Message("stopping: the ranks were sent {}", signal_text(signal))
                           : saves       ? Message("stopping: rank 0 was asked to save a checkpoint at the next step")
                                         : Message("stopping after the step under way, without a checkpoint"));
    if (spec_.program)
        ranks_.end(signal);
    else if (rank_0_listens())
        ranks_.send(request_line(request));
    else
        ranks_.end(SIGTERM);
}

void Supervisor::kill_all() {
    const bool failing = is_failing(lifecycle_);
    go(SupervisorEvent::kill);
    if (!failing)
        report_.set_status(run::Status::stopping, "stopping now");
    ranks_.end(SIGKILL);
}

}  // namespace trainyard::launch
