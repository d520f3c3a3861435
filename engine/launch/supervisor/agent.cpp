// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/agent.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/process.h"
#include "base/text.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/output_batching.h"

namespace trainyard::launch {

namespace {
constexpr double kFirstPause = 0.05, kLongestPause = 2;  // between two tries
constexpr double kCurveSeconds = 0.5;                    // between two looks at event files
constexpr double kJoinSeconds = 10;                      // from connect() to membership
constexpr double kQuietSeconds = 3;                      // without a head before it is reported
}  // namespace

Agent::Agent(AgentOptions options) : options_(std::move(options)), id_(to_hex(random_bytes(8))) {
    if (options_.host.empty())
        options_.host = host_name();
    if (!options_.tell)
        options_.tell = [](const std::string&) {};
    machine_ = std::make_unique<LocalMachine>(options_.host);
}

Agent::~Agent() = default;

int Agent::run() {
    sigset_t mask, before;
    sigemptyset(&mask);
    for (int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGUSR1})
        sigaddset(&mask, number);
    ::sigprocmask(SIG_BLOCK, &mask, &before);
    signals_ = FileDescriptor(::signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC));
    // Processes that a rank leaves behind come to us, not to init, and go with the rank's group.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    joining_since_ = monotonic_seconds();
    pause_ = kFirstPause;
    while (!code_) {
        wait_for_something();
        take_signals();
        if (guard_is_gone() && !code_)
            leave(kExitInterrupted, "the launcher of this machine was killed: its ranks end with it");
        machine_->take(*this);
        tend_connection();
    }
    end_ranks();
    figures_.reset();
    if (connection_) {
        connection_->finish(0.5);
        connection_.reset();
    }
    if (!folder_.empty())
        write_state("left");
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return *code_;
}

void Agent::wait_for_something() {
    std::vector<pollfd> descriptors{{signals_.get(), POLLIN, 0}};
    machine_->add_descriptors(descriptors);
    if (connection_)
        connection_->add_descriptors(descriptors);
    double now = monotonic_seconds();
    double due = stage_ == Stage::member    ? std::min(beaten_ + heartbeat_s_, lease_from_ + lease_s_)
                 : stage_ == Stage::waiting ? next_try_
                                            : stage_since_ + kJoinSeconds;
    if (!machine_->all_ended() && stage_ != Stage::member)
        due = std::min(due, now + 0.02);  // ranks that were killed
    double wait = std::clamp(due - now, 0.001, 5.0);
    wait_for_batch();
    ::poll(descriptors.data(), descriptors.size(), static_cast<int>(wait * 1000) + 1);
    woke_ = monotonic_seconds();
}

/// Batches what ranks report, and so the frames to the head. Not while ranks start or end, nor while a rank prints so
/// much that it would block on a full pipe.
void Agent::wait_for_batch() {
    bool batches = stage_ == Stage::member && !machine_->all_ended() && woke_ - started_ > kBatchingDelay &&
                   std::exchange(taken_output_, 0) < kBatchingMaxOutput;
    if (double rest = woke_ + kBatchingInterval - monotonic_seconds(); batches && rest > 0)
        ::usleep(static_cast<useconds_t>(rest * 1e6));
}

void Agent::tend_connection() {
    if (code_)
        return;
    double now = monotonic_seconds();
    if (stage_ == Stage::waiting) {
        if (now - joining_since_ > options_.join_timeout_s)
            return leave(kExitFailed,
                         Message("no head of a run was met at {}:{} for {}: {}: start the machine with "
                                 "--machine_rank 0, or check the address and port",
                                 options_.head_address, options_.head_port, text::duration(options_.join_timeout_s),
                                 last_problem_.empty() ? Message("no answer") : last_problem_));
        if (!last_problem_.empty() && now - joining_since_ > kQuietSeconds && !std::exchange(wait_reported_, true))
            options_.tell(Message("no answer yet from the head of the run at {}:{}: {}: trying again for up to {}",
                                  options_.head_address, options_.head_port, last_problem_,
                                  text::duration(options_.join_timeout_s)));
        // Ranks of the generation that was lost go first: nothing of them may be left when the next one begins.
        if (now >= next_try_ && machine_->all_ended())
            connect();
        return;
    }
    if (stage_ == Stage::member) {
        beat();
        if (now - curves_sent_ >= kCurveSeconds)
            send_curves(false);
    }
    connection_->exchange();
    try {
        while (connection_) {
            auto frame = connection_->next();
            if (!frame)
                break;
            take_frame(*frame);
            if (code_)
                return;
        }
    } catch (const WireError& error) {
        return lose(Message("the connection was ended: {}", error.message()));
    }
    if (!connection_)
        return;
    connection_->flush();
    now = monotonic_seconds();
    if (connection_->broken())
        return take_failure();
    if (stage_ == Stage::member && now - lease_from_ > lease_s_)
        return lose(Message("no contact with the head of the run for {}", text::duration(lease_s_)));
    if (stage_ != Stage::member && now - stage_since_ > kJoinSeconds) {
        refused_since_ = 0;
        return lose("no answer");
    }
}

void Agent::connect() {
    Message problem;
    FileDescriptor socket = begin_connecting(options_.head_address, options_.head_port, problem);
    if (!socket) {
        bool refused = problem == system_message(ECONNREFUSED);
        if (!refused)
            refused_since_ = 0;
        else if (refused_since_ == 0)
            refused_since_ = monotonic_seconds();
        last_problem_ = problem;
        return try_later();
    }
    connection_ = std::make_unique<AgentConnection>(
        std::move(socket), fmt::format("{}:{}", options_.head_address, options_.head_port),
        SecureChannel(SecureChannel::Role::client, options_.secret, options_.rendezvous));
    connection_->send(FrameKind::hello, to_json(Hello{kAgentProtocol, TRAINYARD_VERSION}));
    connection_->send(FrameKind::message,
                      to_json(AgentReport(JoinRequest{id_, options_.host, options_.machine_rank, options_.ranks})));
    stage_ = Stage::joining;
    stage_since_ = monotonic_seconds();
}

/// The connection is broken: leaves for good if the head refused this machine, else connects again later.
void Agent::take_failure() {
    switch (connection_->channel().failure()) {
        case SecureChannel::Failure::secret_refused:
            return leave(kExitUsage,
                         Message("the head of the run at {} refuses this machine: {}", connection_->peer(),
                                 Message("this machine was given another secret than the head of the run: set the same "
                                         "TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines")));
        case SecureChannel::Failure::other_rendezvous:
            return leave(
                kExitUsage,
                Message("the head of the run at {} refuses this machine: {}", connection_->peer(),
                        Message("at {}:{} another run is waited for than '{}': check address, port and --rdzv_id",
                                options_.head_address, options_.head_port, options_.rendezvous)));
        case SecureChannel::Failure::peer_lacks_secret:
            return leave(kExitUsage, Message("the peer at {} does not have the run's secret: set the same "
                                             "TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines",
                                             connection_->peer()));
        case SecureChannel::Failure::none:
        case SecureChannel::Failure::closed:
        case SecureChannel::Failure::unencrypted:
        case SecureChannel::Failure::other:
            break;
    }
    if (!connection_->was_refused())
        refused_since_ = 0;
    else if (refused_since_ == 0)
        refused_since_ = monotonic_seconds();
    lose(connection_->why());
}

void Agent::take_frame(const Frame& frame) {
    if (frame.kind == FrameKind::refusal) {
        Refusal refusal = parse_refusal(frame.payload);
        if (refusal.final)
            return leave(kExitUsage, Message("the head of the run at {} refuses this machine: {}", connection_->peer(),
                                             refusal.reason));
        return lose(refusal.reason);
    }
    if (frame.kind == FrameKind::message)
        return take_order(parse_order(frame.payload));
    if (frame.kind == FrameKind::heartbeat)
        return take_heartbeat(parse_heartbeat(frame.payload));
    throw WireError("it does not keep to the order of the handshake");
}

void Agent::take_heartbeat(const LinkHeartbeat& heartbeat) {
    while (!unacknowledged_.empty() && unacknowledged_.front().first <= heartbeat.acknowledged) {
        lease_from_ = unacknowledged_.front().second;
        round_trip_s_ = monotonic_seconds() - lease_from_;
        unacknowledged_.pop_front();
    }
}

void Agent::beat() {
    double now = monotonic_seconds();
    if (now - beaten_ < heartbeat_s_)
        return;
    beaten_ = now;
    LinkHeartbeat heartbeat{++beats_, 0, round_trip_s_, {}};
    // One that is still on its way says how slow the link is before it has come back.
    if (!unacknowledged_.empty())
        heartbeat.round_trip_s = std::max(round_trip_s_, now - unacknowledged_.front().second);
    for (const auto& [number, rank] : ranks_)
        if (Message text = machine_->condition(number); !text.empty())
            heartbeat.conditions.push_back({number, text});
    unacknowledged_.emplace_back(beats_, now);
    connection_->send_heartbeat(to_json(heartbeat));
}

void Agent::lose(const Message& reason) {
    bool member = stage_ == Stage::member;
    last_problem_ = reason;
    connection_.reset();
    stage_ = Stage::waiting;
    double now = monotonic_seconds();
    if (member) {
        options_.tell(Message("the head of the run at {}:{} is lost: {}: this machine's ranks are ended",
                              options_.head_address, options_.head_port, reason));
        fence(generation_ + 1);
        machine_->signal(SIGKILL);
        write_state("joining");
        was_member_ = true;
        wait_reported_ = false;
        joining_since_ = now;
        pause_ = kFirstPause;
    }
    try_later();
}

void Agent::try_later() {
    stage_ = Stage::waiting;
    double now = monotonic_seconds();
    // A head that has ended leaves nobody to listen; one that cannot be reached does not refuse.
    if (was_member_ && refused_since_ > 0 && now - refused_since_ > lease_s_)
        return leave(kExitFailed, Message("the head of the run at {}:{} is gone: nobody listens there any "
                                          "more",
                                          options_.head_address, options_.head_port));
    next_try_ = now + pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
}

void Agent::leave(int code, const Message& sentence) {
    if (!sentence.empty())
        options_.tell(sentence);
    code_ = code;
}

void Agent::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        auto number = static_cast<int>(info.ssi_signo);
        if (number == SIGCHLD)
            continue;
        ++asked_to_end_;
        bool again = asked_to_end_ > 1;
        if (stage_ == Stage::member && !again && !machine_->all_ended()) {
            const Message reason("the agent of {} was asked to end by signal {} ({})", options_.host, number,
                                 ::strsignal(number));
            report(Preempted{reason});
            options_.tell(
                Message("{}: the run is asked to stop; a second signal ends this machine's ranks "
                        "at once",
                        reason));
            continue;
        }
        leave(kExitInterrupted, Message("ended by signal {} ({})", number, ::strsignal(number)));
    }
}

void Agent::report(const AgentReport& report) {
    if (!connection_)
        return;
    connection_->send(FrameKind::message, to_json(report));
    connection_->flush();
}

}  // namespace trainyard::launch
