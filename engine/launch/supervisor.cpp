#include "launch/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "launch/rank_process.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kLongestMessage = 1u << 20;
constexpr std::size_t kLongestBacklog = 500;  // events that wait for room on the disk
}  // namespace

Supervisor::Supervisor(PreparedRun run, const SupervisorOptions& options)
    : paths_(run.paths),
      spec_(std::move(run.spec)),
      state_(std::move(run.state)),
      worker_(std::move(run.worker)),
      store_socket_(std::move(run.store_socket)),
      port_(run.port),
      options_(options),
      first_failure_(options.window_s) {}

Supervisor::~Supervisor() {
    if (!signals_)
        return;
    for (Rank& rank : ranks_)
        if (!rank.ended)
            ::kill(rank.state->process.pid, SIGKILL);
    ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Supervisor::open_descriptors() {
    sigset_t mask;
    sigemptyset(&mask);
    for (int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&mask, number);
    ::sigprocmask(SIG_BLOCK, &mask, &old_mask_);
    signals_ = FileDescriptor(::signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!signals_)
        throw UserError("cannot watch the ranks: no descriptor is free for signals");
    inotify_ = FileDescriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (inotify_)
        ::inotify_add_watch(inotify_.get(), paths_.requests().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
}

void Supervisor::start() {
    open_descriptors();
    // Processes that a rank leaves behind come to us, not to init, and go with the rank's group.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    state_.supervisor = this_process();
    state_.started = wall_seconds();
    int count = spec_.launch.num_processes;
    state_.ranks.resize(static_cast<std::size_t>(count));
    ranks_.resize(static_cast<std::size_t>(count));
    RankStart start{
        .generation = state_.generation, .port = port_, .threads = threads_per_rank(spec_.launch), .worker = worker_};
    for (int i = 0; i < count; ++i) {
        Rank& rank = ranks_[static_cast<std::size_t>(i)];
        rank.state = &state_.ranks[static_cast<std::size_t>(i)];
        rank.log = std::make_unique<RankLog>(paths_.rank_log(i));
        start.rank = i;
        start.store_socket = i == 0 ? store_socket_.get() : -1;
        StartedRank started = start_rank(paths_, spec_, start);
        rank.control = std::move(started.control);
        rank.output = std::move(started.output);
        rank.heard = monotonic_seconds();
        rank.state->rank = i;
        rank.state->host = state_.supervisor_host;
        rank.state->device = spec_.launch.device == "cuda" ? fmt::format("cuda:{}", i) : spec_.launch.device;
        rank.state->process = {started.pid, process_start_time(started.pid)};
        rank.ended = false;
    }
    store_socket_.close();
    moved_ = monotonic_seconds();
    set_status(run::Status::starting, fmt::format("starting {} {}", count, count == 1 ? "rank" : "ranks"));
    record("phase", fmt::format("started {} {} on {} ({}), {} {} each", count, count == 1 ? "rank" : "ranks",
                                state_.supervisor_host, spec_.launch.device, start.threads,
                                start.threads == 1 ? "thread" : "threads"));
    write_state_when_due();
}

int Supervisor::watch() {
    try {
        sync_path(paths_.spec());
        sync_path(paths_.root());
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    while (!all_ended()) {
        wait_for_something();
        take_signals();
        for (Rank& rank : ranks_) {
            read_output(rank);
            read_control(rank);
        }
        reap();
        settle_first_failure();
        end_remaining_ranks();
        take_requests();
        flush_outbox();
        warn_of_silence();
        write_state_when_due();
    }
    return finish();
}

void Supervisor::wait_for_something() {
    std::vector<pollfd> descriptors{{signals_.get(), POLLIN, 0}, {inotify_.get(), POLLIN, 0}};
    for (const Rank& rank : ranks_) {
        if (rank.output)
            descriptors.push_back({rank.output.get(), POLLIN, 0});
        if (rank.control)
            descriptors.push_back({rank.control.get(), POLLIN, 0});
    }
    if (!outbox_.empty() && ranks_.front().control)
        descriptors.push_back({ranks_.front().control.get(), POLLOUT, 0});
    double now = monotonic_seconds();
    double due = written_ + (state_changed_ ? options_.state_gap_s : options_.state_every_s);
    due = std::min({due, now + options_.request_poll_s, now + options_.silence_s / 4});
    if (failing_since_ > 0)
        due = std::min(due, now + 0.02);
    double wait = std::clamp(due - now, write_failed_ ? 0.2 : 0.001, 10.0);
    ::poll(descriptors.data(), descriptors.size(), static_cast<int>(wait * 1000) + 1);
}

void Supervisor::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo != SIGTERM && info.ssi_signo != SIGINT)
            continue;
        run::Request request;
        request.id = fmt::format("signal-{}-{}", info.ssi_signo, state_.progress.step);
        request.kind = "stop";
        request.from = signal_text(static_cast<int>(info.ssi_signo));
        stop(request);
    }
}

void Supervisor::read_output(Rank& rank) {
    char buffer[65536];
    // Bounded, so that a rank that writes without end cannot keep the others waiting.
    for (int chunk = 0; rank.output && chunk < 16; ++chunk) {
        ssize_t n = ::read(rank.output.get(), buffer, sizeof buffer);
        if (n > 0)
            rank.log->write({buffer, static_cast<std::size_t>(n)});
        else if (n == 0)
            rank.output.close();
        else if (errno != EINTR)
            return;
    }
}

void Supervisor::read_control(Rank& rank) {
    char buffer[65536];
    while (rank.control) {
        ssize_t n = ::recv(rank.control.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n <= 0) {
            rank.control.close();
            return;
        }
        rank.inbox.append(buffer, static_cast<std::size_t>(n));
        std::size_t begin = 0;
        for (std::size_t end; (end = rank.inbox.find('\n', begin)) != std::string::npos; begin = end + 1)
            take_message(rank, rank.inbox.substr(begin, end - begin));
        rank.inbox.erase(0, begin);
        if (rank.inbox.size() > kLongestMessage)
            rank.inbox.clear();
    }
}

void Supervisor::take_message(Rank& rank, const std::string& line) {
    rank.heard = monotonic_seconds();
    rank.silent = false;
    if (rank.state->state == "starting") {
        rank.state->state = "running";
        state_changed_ = true;
        bool all = std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.state->state == "running"; });
        if (all && state_.status == run::Status::starting)
            set_status(run::Status::running, "training");
    }
    try {
        std::visit([&](const auto& message) { take(rank, message); }, parse_rank_message(line));
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s rank %d: %s: %.200s\n", iso_time(wall_seconds()).c_str(), rank.state->rank,
                     error.what(), line.c_str());
    }
}

void Supervisor::take(Rank& rank, const Heartbeat& heartbeat) {
    if (heartbeat.step > rank.state->step) {
        moved_ = monotonic_seconds();
        still_ = false;
    }
    rank.state->step = heartbeat.step;
    rank.state->phase = heartbeat.phase;
    rank.state->last_collective = heartbeat.collective;
    rank.state->resident_bytes = heartbeat.resident_bytes;
    state_changed_ = true;
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
    if (progress.step > state_.progress.step) {
        moved_ = monotonic_seconds();
        still_ = false;
    }
    state_.progress = progress;
    rank.state->step = std::max(rank.state->step, progress.step);
    state_changed_ = true;
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

void Supervisor::take(Rank& rank, const RequestOutcome& outcome) {
    (void)rank;
    auto found = unanswered_.find(outcome.id);
    if (found == unanswered_.end())
        return;
    run::Request request = found->second;
    unanswered_.erase(found);
    // A stop that the worker refuses leaves the run as it was; one that is done shows in the ranks' ends.
    if (request.kind == "stop" && outcome.outcome != "done") {
        stop_asked_ = false;
        if (state_.status == run::Status::stopping && failing_since_ == 0)
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

bool Supervisor::all_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.ended; });
}

void Supervisor::set_status(run::Status status, const std::string& message) {
    state_.status = status;
    state_.message = message;
    state_changed_ = true;
    std::fprintf(stderr, "%s %s: %s\n", iso_time(wall_seconds()).c_str(), run::to_string(status).c_str(),
                 message.c_str());
}

void Supervisor::record(const char* kind, const std::string& text, int rank, std::int64_t step) {
    run::Event event;
    event.time = wall_seconds();
    event.kind = kind;
    event.text = text;
    event.rank = rank;
    event.step = step;
    append(event);
}

void Supervisor::append(const run::Event& event) {
    backlog_.push_back(event);
    if (backlog_.size() > kLongestBacklog)
        backlog_.pop_front();
    write_backlog();
}

void Supervisor::write_backlog() {
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

void Supervisor::write_state_when_due() {
    double now = monotonic_seconds();
    if (now - written_ < (state_changed_ ? options_.state_gap_s : options_.state_every_s))
        return;
    written_ = now;
    try {
        run::write_state(paths_, state_, false);
        state_changed_ = false;
        write_failed_ = false;
        write_backlog();
    } catch (const UserError& error) {
        if (!write_failed_)
            std::fprintf(stderr, "%s\n", error.what());
        write_failed_ = true;
    }
}

int Supervisor::finish() {
    for (Rank& rank : ranks_) {
        read_output(rank);
        rank.output.close();
        rank.control.close();
        if (rank.log->lost_bytes() > 0)
            record("warning",
                   fmt::format("{} of the log of rank {} could not be written", text::file_size(rank.log->lost_bytes()),
                               rank.state->rank),
                   rank.state->rank);
    }
    settle_first_failure();
    bool resumable = std::any_of(ranks_.begin(), ranks_.end(),
                                 [](const Rank& rank) { return rank.state->exit_code == kExitResumable; });
    run::Status status = state_.first_failure         ? run::Status::failed
                         : (kill_asked_ || resumable) ? run::Status::stopped
                                                      : run::Status::finished;
    state_.ended = wall_seconds();
    if (status == run::Status::finished)
        state_.progress.eta_s = 0;
    else
        state_.progress.eta_s.reset();
    const std::string sentence = how_it_ended(status);  // once: journal and state say the same
    record("phase", sentence, -1, state_.progress.step);
    answer_left_requests(status);
    set_status(status, sentence);
    // The disk may be full because of us; what was freed in the meantime lets the last word through.
    for (int attempt = 0;; ++attempt) {
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
    return status == run::Status::finished ? kExitDone : status == run::Status::failed ? kExitFailed : kExitResumable;
}

}  // namespace trainyard::launch
