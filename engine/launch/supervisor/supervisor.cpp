#include "launch/supervisor/supervisor.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/process.h"
#include "base/text.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/output_batching.h"
#include "run/listing.h"

namespace trainyard::launch {

namespace {

std::string kernel_release() {
    utsname system{};
    return ::uname(&system) == 0 ? system.release : "";
}

}  // namespace

Supervisor::Supervisor(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool)
    : paths_(run.paths),
      spec_(std::move(run.spec)),
      state_(std::move(run.state)),
      worker_(std::move(run.worker)),
      store_socket_(std::move(run.store_socket)),
      reservation_(std::move(run.reservation)),
      port_(run.port),
      options_(std::move(options)),
      pool_(std::move(pool)),
      first_failure_(options_.window_s),
      far_curves_(paths_.metrics()) {
    if (spec_.program)
        program_.emplace(paths_, *spec_.program);
    if (pool_)
        return;
    std::vector<run::MachineSpec> machines = run::machines_of(spec_.launch);
    if (machines.size() > 1)
        throw UserError("{} cannot be reached without its agent: start the run on all its machines", machines[1].host);
    auto fixed = std::make_unique<FixedPool>();
    fixed->add(std::make_unique<LocalMachine>(host_name()), machines.front().ranks, machines.front().address);
    pool_ = std::move(fixed);
}

Supervisor::~Supervisor() {
    pool_.reset();  // and with it the ranks that are left
    if (signals_)
        ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

bool Supervisor::go(SupervisorEvent event) {
    const std::optional<SupervisorState> next = next_state(lifecycle_, event);
    if (!next)
        throw std::logic_error(
            fmt::format("the supervisor is {}, where {} is impossible", to_string(lifecycle_), to_string(event)));
    return std::exchange(lifecycle_, *next) != *next;
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
    folder_.begin(paths_);
    inotify_ = FileDescriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (inotify_)
        ::inotify_add_watch(inotify_.get(), paths_.requests().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
}

void Supervisor::start() {
    open_descriptors();
    state_.supervisor = this_process();
    if (Message problem = old_kernel_warning(kernel_release(), host_name()); !problem.empty())
        record("warning", problem);
    if (state_.status == run::Status::queued)
        await_turn();
    else
        begin();
    write_state_when_due();
}

int Supervisor::watch() {
    try {
        sync_path(paths_.spec());
        sync_path(paths_.root());
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    for (;;) {
        wait_for_something();
        take_signals();
        if (guard_is_gone() && lifecycle_ != SupervisorState::killing && lifecycle_ != SupervisorState::cancelled) {
            record("warning", "the launcher of this run was killed: its ranks end with it");
            kill_all();
        }
        pool_->take();
        for (const Message& note : pool_->take_notes())
            record("note", note);
        for (taking_ = 0; taking_ < participants_.size(); ++taking_)
            participants_[taking_].machine->take(*this);
        settle_first_failure();
        end_remaining_ranks();
        take_requests();
        grow_when_possible();
        watch_ranks();
        write_state_when_due();
        if (lifecycle_ == SupervisorState::cancelled)
            break;
        if (!has_ranks(lifecycle_)) {
            try {
                if (is_queued())
                    look_at_queue();
                else
                    begin_when_ready();
            } catch (const UserError& error) {
                fail(error.message());
            }
        } else if (all_ended() && !begin_restart()) {
            break;
        }
    }
    return finish();
}

double Supervisor::next_look() const {
    double now = monotonic_seconds();
    double due = std::min({state_due(), now + options_.request_poll_s, now + options_.heartbeat_s / 2});
    if (is_failing(lifecycle_) || stopping_since_ > 0)
        due = std::min(due, now + 0.02);
    if (is_queued())
        due = std::min(due, looked_at_queue_ + options_.queue_look_s);
    else if (!has_ranks(lifecycle_))
        due = std::min(due, restart_at_ > now ? restart_at_ : now + 0.2);
    return std::clamp(due - now, write_failed_ ? 0.2 : 0.001, 10.0);
}

void Supervisor::wait_for_something() {
    std::vector<pollfd> descriptors{{signals_.get(), POLLIN, 0}, {inotify_.get(), POLLIN, 0}};
    pool_->add_descriptors(descriptors);
    for (const Participant& participant : participants_)
        participant.machine->add_descriptors(descriptors);
    // Each rank reports twenty times a second, so the reports of one interval are read together. Not while ranks are expected to end, nor while a
    // rank prints so much that it would block on a full pipe.
    bool batches = state_.status == run::Status::running && !is_failing(lifecycle_) && stopping_since_ == 0 &&
                   woke_ - generation_began_ > kBatchingDelay && std::exchange(taken_output_, 0) < kBatchingMaxOutput;
    double rest = woke_ + kBatchingInterval - monotonic_seconds();
    if (batches && rest > 0)
        ::usleep(static_cast<useconds_t>(rest * 1e6));
    ::poll(descriptors.data(), descriptors.size(), static_cast<int>(next_look() * 1000) + 1);
    woke_ = monotonic_seconds();
}

void Supervisor::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        int number = static_cast<int>(info.ssi_signo);
        if (number == SIGHUP && !options_.foreground)
            continue;
        if (number == SIGUSR1 && spec_.program) {
            // Somebody's notice to the program, which may save and end, or do something else.
            record("note", "SIGUSR1 is handed on to the ranks");
            for (const Participant& participant : participants_)
                participant.machine->signal(SIGUSR1);
            continue;
        }
        stop_signal_ = number;
        // Signals are repeated by whoever sends them (timeout, batch systems) and mean the same; a second Ctrl-C was pressed by somebody
        // who sees that the first one has not ended it yet. What a terminal sends comes from the kernel.
        if (number == SIGINT && info.ssi_code == SI_KERNEL && is_stop_asked(lifecycle_)) {
            record("request", "kill asked: Ctrl-C was pressed again");
            kill_all();
            continue;
        }
        run::Request request;
        request.id = fmt::format("signal-{}-{}", number, state_.progress.step);
        request.kind = "stop";
        request.from = signal_text(number).text();
        stop(request, number);
    }
}

bool Supervisor::all_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.ended; });
}

run::Status Supervisor::final_status() const {
    if (state_.first_failure)
        return run::Status::failed;
    bool resumable = std::any_of(ranks_.begin(), ranks_.end(),
                                 [](const Rank& rank) { return rank.state->exit_code == kExitResumable; });
    bool cut_short = lifecycle_ == SupervisorState::cancelled || (spec_.program && is_stop_asked(lifecycle_));
    return lifecycle_ == SupervisorState::killing || resumable || cut_short ? run::Status::stopped
                                                                            : run::Status::finished;
}

int Supervisor::exit_code(run::Status status) const {
    if (status == run::Status::finished)
        return kExitDone;
    if (status == run::Status::stopped)
        return spec_.program && stop_signal_ != 0 ? 128 + stop_signal_ : kExitResumable;
    const run::Failure& failure = *state_.first_failure;
    if (!spec_.program)
        return kExitFailed;
    return failure.signal ? 128 + *failure.signal : failure.exit_code.value_or(kExitFailed);
}

int Supervisor::finish() {
    machine_.reset();
    for (auto& [number, log] : logs_)
        if (log->lost_bytes() > 0)
            record("warning",
                   Message("{} of the log of rank {} could not be written", text::file_size(log->lost_bytes()), number),
                   number);
    link_event_files(true);
    settle_first_failure();
    watch_folder();
    if (!folder_problem_.empty())
        state_.first_failure->message = how_the_folder_was_lost();
    run::Status status = final_status();
    state_.ended = wall_seconds();
    if (status == run::Status::finished)
        state_.progress.eta_s = 0;
    else
        state_.progress.eta_s.reset();
    tell_machines("ended");
    const Message sentence = how_it_ended(status);  // once: journal and state say the same
    // A failure that the journal has already is not told a second time.
    const bool is_told = status == run::Status::failed && state_.first_failure &&
                         state_.first_failure->message == sentence && folder_problem_.empty();
    record(folder_problem_.empty() ? "phase" : "failure", is_told ? Message("failed") : sentence, -1,
           state_.progress.step);
    answer_left_requests(status);
    if (is_queued())
        leave_queue();
    set_status(status, sentence);
    // The disk may be full because of us; what was freed in the meantime lets the last word through.
    for (int attempt = 0; folder_is_ours_; ++attempt) {
        try {
            write_backlog();
            run::write_state(paths_, state_, true);
            break;
        } catch (const UserError& error) {
            std::fprintf(stderr, "%s\n", error.what());
            if (attempt == 20)
                break;
            ::usleep(500'000);
        }
    }
    pool_->over(exit_code(status), sentence);
    return exit_code(status);
}

Message Supervisor::how_it_ended(run::Status status) const {
    const run::Progress& progress = state_.progress;
    double lasted = monotonic_seconds() - began_;  // the wall clock may have been set meanwhile
    if (status == run::Status::failed)
        return state_.first_failure->message;
    if (is_queued())
        return "taken out of the queue before it started";
    if (spec_.program)
        return status == run::Status::finished ? Message("finished after {}", text::duration(lasted))
                                               : Message("stopped after {}", text::duration(lasted));
    const Message steps = Message("step {} of {}", text::grouped(progress.step), text::grouped(progress.of));
    if (status == run::Status::stopped) {
        const bool killed = lifecycle_ == SupervisorState::killing || lifecycle_ == SupervisorState::cancelled;
        if (!health_stop_.empty() && !killed) {
            const std::optional<std::int64_t> good = run::newest_good_checkpoint(paths_);
            return good ? Message("stopped at {} because {}; the newest good checkpoint is checkpoint_{}", steps,
                                  health_stop_, *good)
                        : Message("stopped at {} because {}; there is no good checkpoint", steps, health_stop_);
        }
        const bool kept = run::has_checkpoint(paths_);
        if (!killed)
            return stop_saves_ ? Message("stopped at {} after a checkpoint", steps)
                   : kept      ? Message("stopped at {}, an earlier checkpoint is kept", steps)
                               : Message("stopped at {}, no checkpoint", steps);
        const Message sentence = kept ? Message("killed at {}, an earlier checkpoint is kept", steps)
                                      : Message("killed at {}, no checkpoint", steps);
        return stop_problem_.empty() ? sentence : Message("{}: {}", sentence, stop_problem_);
    }
    std::vector<Message> parts;
    parts.push_back(progress.loss
                        ? Message("finished {} steps in {}", text::grouped(progress.step), text::duration(lasted))
                        : Message("finished at once: the checkpoint that it went on from has all {} steps",
                                  text::grouped(progress.of)));
    if (progress.loss)
        parts.push_back(Message("loss {:.4f}", *progress.loss));
    if (progress.validation_loss)
        parts.push_back(Message("validation loss {:.4f}", *progress.validation_loss));
    return Message::joined(parts, ", ");
}

}  // namespace trainyard::launch
