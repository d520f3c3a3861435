// Supervisor: machines come, ranks are started on them, and started anew after a failure.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/listen_socket.h"
#include "base/text.h"
#include "launch/supervisor/network_interface.h"
#include "launch/supervisor/rank_orders.h"
#include "launch/supervisor/supervisor.h"
#include "run/listing.h"

namespace trainyard::launch {

namespace {

constexpr double kLongestBackoff = 30;
constexpr int kFruitlessGenerations = 2;

Message ranks_text(std::size_t count) {
    return count == 1 ? Message("{} rank", count) : Message("{} ranks", count);
}

/// "gpu-a", or "gpu-a (2), gpu-b (2) and gpu-c (1)"
Message places_text(const std::vector<Participant>& participants) {
    if (participants.size() == 1)
        return Message::verbatim(participants.front().machine->host());
    std::vector<std::string> places;
    for (const Participant& participant : participants)
        places.push_back(fmt::format("{} ({})", participant.machine->host(), participant.ranks));
    return Message("{} and {}", fmt::join(places.begin(), places.end() - 1, ", "), places.back());
}

}  // namespace

void Supervisor::begin() {
    state_.started = wall_seconds();
    began_ = monotonic_seconds();
    machine_ = std::make_unique<MachineRecorder>(paths_.metrics(), host_name());
    go(SupervisorEvent::turn_came);
    await_machines();
    begin_when_ready();
}

void Supervisor::await_machines() {
    joining_since_ = monotonic_seconds();
    enough_since_ = 0;
    pool_->open();
    set_status(run::Status::starting,
               state_.generation == 1 ? Message("waiting for machines") : Message("starting again"));
}

bool Supervisor::enough_machines(const std::vector<Participant>& participants, double now) {
    std::size_t wanted = run::machines_of(spec_.launch).size();
    std::size_t fewest = spec_.launch.min_machines > 0 ? static_cast<std::size_t>(spec_.launch.min_machines) : wanted;
    if (participants.size() < fewest)
        enough_since_ = 0;
    else if (enough_since_ == 0)
        enough_since_ = now;
    return participants.size() >= wanted ||
           (participants.size() >= fewest && now - enough_since_ >= options_.last_call_s);
}

void Supervisor::begin_when_ready() {
    double now = monotonic_seconds();
    if (now < restart_at_)
        return;
    std::vector<Participant> participants = pool_->participants();
    if (enough_machines(participants, now)) {
        begin_generation(std::move(participants));
        return;
    }
    const Message missing = pool_->missing();
    if (now - joining_since_ >= spec_.launch.join_timeout_s)
        return fail(Message("{} did not join within {}", missing.empty() ? Message("a machine") : missing,
                            text::duration(spec_.launch.join_timeout_s)));
    const Message message = missing.empty() ? Message("waiting for machines") : Message("waiting for {}", missing);
    if (message == state_.message)
        return;
    set_status(run::Status::starting, message);
    record("phase", Message("{}, up to {}", message, text::duration(spec_.launch.join_timeout_s)));
}

FileDescriptor Supervisor::rendezvous_socket(int& port) {
    if (spec_.program && !spec_.program->rendezvous)
        return FileDescriptor();
    if (store_socket_) {
        port = port_;
        return std::move(store_socket_);
    }
    port = spec_.launch.main_process_port;
    Message problem;
    const bool reserved = reservation_ && port == port_;
    FileDescriptor socket = reserved ? listen_on(spec_.launch.main_process_ip, port, problem)
                                     : listen_for_ranks(spec_.launch.main_process_ip, port, reservation_, problem);
    if (!socket)
        throw UserError(problem);
    port_ = port;
    return socket;
}

void Supervisor::make_ranks(const std::vector<MachineOrder>& orders) {
    state_.ranks.clear();
    ranks_.clear();
    for (const MachineOrder& order : orders)
        state_.ranks.resize(state_.ranks.size() + order.ranks.size());
    for (std::size_t machine = 0; machine < orders.size(); ++machine)
        for (const RankOrder& order : orders[machine].ranks) {
            run::RankState& state = state_.ranks[static_cast<std::size_t>(order.rank)];
            state.rank = order.rank;
            state.host = participants_[machine].machine->host();
            state.device =
                spec_.launch.device == "cpu" ? "cpu" : fmt::format("{}:{}", spec_.launch.device, order.local_rank);
            Rank rank;
            rank.state = &state;
            rank.machine = machine;
            rank.local_rank = order.local_rank;
            std::unique_ptr<RankLog>& log = logs_[order.rank];
            if (!log)
                log = std::make_unique<RankLog>(paths_.rank_log(order.rank));
            rank.log = log.get();
            rank.heard = rank.changed = monotonic_seconds();
            ranks_.push_back(rank);
        }
}

void Supervisor::begin_generation(std::vector<Participant> participants) {
    pool_->close();
    participants_ = std::move(participants);
    // The fence: whoever still runs under a lower number writes no checkpoint any more.
    try {
        write_file_atomically(paths_.generation(), std::to_string(state_.generation) + "\n", false);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    Generation generation{.number = state_.generation, .restarts = state_.restarts, .port = 0};
    FileDescriptor socket = rendezvous_socket(generation.port);
    std::vector<run::MachineSpec> machines;
    for (const Participant& participant : participants_)
        machines.push_back({participant.machine->host(), participant.ranks, participant.address});
    std::vector<MachineOrder> orders = rank_orders(paths_, spec_, machines, generation, worker_);
    if (spec_.program)
        socket.close();  // its rank 0 binds the port itself
    orders.front().store_socket = socket.get();
    for (const auto& [name, value] : interface_variables(participants_.front().address))
        orders.front().environment.try_emplace(name, value);
    make_ranks(orders);
    go(SupervisorEvent::start_ranks);
    newest_step_ = reported_step_ = -1;
    generation_began_ = moved_ = monotonic_seconds();
    still_ = false;
    tell_machines("running");
    set_status(run::Status::starting, Message("starting {}", ranks_text(ranks_.size())));
    try {
        for (taking_ = 0; taking_ < participants_.size(); ++taking_) {
            participants_[taking_].machine->start(orders[taking_]);
            participants_[taking_].machine->take(*this);
        }
    } catch (const UserError&) {
        for (Rank& rank : ranks_)
            rank.ended = rank.ended || rank.machine >= taking_;
        signal_ranks(SIGKILL);
        throw;
    }
    const Message what = ranks_text(ranks_.size()), where = places_text(participants_);
    if (spec_.program)
        return record("phase", Message("started {} on {}", what, where));
    const int count = threads_per_rank(spec_.launch, participants_.front().ranks);
    record("phase", count == 1
                        ? Message("started {} on {} ({}), {} thread each", what, where, spec_.launch.device, count)
                        : Message("started {} on {} ({}), {} threads each", what, where, spec_.launch.device, count));
}

Message Supervisor::why_no_restart() const {
    if (ends_for_good(lifecycle_))
        return "the run was asked to stop";
    if (state_.restarts >= spec_.launch.max_restarts)
        return spec_.launch.max_restarts == 0 ? Message() : Message("{} restarts are used up", state_.restarts);
    if (spec_.program)
        return {};
    if (state_.first_failure->exit_code == kExitUsage)
        return "it would fail again";
    if (without_step_ >= kFruitlessGenerations)
        return Message("{} times in a row it failed before the first step", without_step_);
    return {};
}

void Supervisor::grow_when_possible() {
    bool room = participants_.size() < run::machines_of(spec_.launch).size();
    if (lifecycle_ != SupervisorState::running || !room || pool_->waiting() == 0 || all_ended())
        return;
    double now = monotonic_seconds();
    if (spec_.program ? now - generation_began_ < options_.short_life_s : newest_step_ < 1)
        return;
    go(SupervisorEvent::grow);
    if (spec_.program) {
        // Nobody but the program knows when it saves: as under torchrun it is told by a signal.
        record("note", "a machine has come that the run can use: the ranks are sent SIGTERM and start again with it");
        stopping_since_ = now;
        return signal_ranks(SIGTERM);
    }
    record("note", "a machine has come that the run can use: the ranks save a checkpoint and start again with it", -1,
           state_.progress.step);
    run::Request request;
    request.id = fmt::format("growth-{}", state_.generation);
    request.kind = "stop";
    request.from = "supervisor";
    participants_.front().machine->send(0, request_line(request));
}

bool Supervisor::begin_grown() {
    bool ready = spec_.program || std::any_of(ranks_.begin(), ranks_.end(),
                                              [](const Rank& rank) { return rank.state->exit_code == kExitResumable; });
    if (lifecycle_ != SupervisorState::growing || !ready || state_.first_failure)
        return false;
    record("restart",
           spec_.program ? Message("all ranks start again, on more machines")
                         : Message("all ranks start again from the newest checkpoint, on more machines"),
           -1, state_.progress.step);
    begin_anew(0);
    return true;
}

void Supervisor::begin_anew(double wait) {
    go(SupervisorEvent::restart);
    ++state_.generation;
    state_.first_failure.reset();
    first_failure_ = FirstFailure(options_.window_s);
    meter_ = ProgressMeter();
    slow_ranks_ = SlowRanks();
    state_.progress.eta_s.reset();
    failing_since_ = stopping_since_ = 0;
    escalation_ = 0;
    health_stop_ = {};
    restart_at_ = monotonic_seconds() + wait;
    await_machines();
}

bool Supervisor::begin_restart() {
    settle_first_failure();
    if (begin_grown())
        return true;
    if (!state_.first_failure)
        return false;
    double lived = monotonic_seconds() - generation_began_;
    short_lives_ = lived < options_.short_life_s ? short_lives_ + 1 : 0;
    without_step_ = newest_step_ > 0 ? 0 : without_step_ + 1;
    const Message why_not = why_no_restart();
    if (!why_not.empty() || spec_.launch.max_restarts == 0) {
        if (!why_not.empty())
            record("note", Message("the ranks are not started again: {}", why_not));
        return false;
    }
    double wait =
        short_lives_ > 1 ? std::min(kLongestBackoff, options_.backoff_s * (1 << std::min(short_lives_ - 2, 10))) : 0;
    ++state_.restarts;
    const Message again = spec_.program ? Message("all ranks start again")
                          : run::has_checkpoint(paths_)
                              ? Message("all ranks start again from the newest checkpoint")
                              : Message("all ranks start again from the beginning, there is no checkpoint");
    record("restart",
           wait > 0 ? Message("restart {} of {}: {} in {}", state_.restarts, spec_.launch.max_restarts, again,
                              text::duration(wait))
                    : Message("restart {} of {}: {}", state_.restarts, spec_.launch.max_restarts, again),
           -1, state_.progress.step);
    answer_unanswered("failed", "the ranks failed before it was done; they start again");
    begin_anew(wait);
    return true;
}

void Supervisor::tell_machines(const char* state) {
    std::vector<run::MachineState> machines;
    for (const Participant& participant : participants_) {
        auto before = std::find_if(state_.machines.begin(), state_.machines.end(), [&](const run::MachineState& known) {
            return known.host == participant.machine->host();
        });
        bool lost = before != state_.machines.end() && before->state == "lost" && std::string(state) == "ended";
        machines.push_back({participant.machine->host(), participant.ranks, lost ? "lost" : state,
                            participant.machine->last_contact()});
    }
    // Those that are not there this time.
    std::size_t named = run::machines_of(spec_.launch).size();
    for (const run::MachineState& known : state_.machines) {
        bool seated = std::any_of(machines.begin(), machines.end(),
                                  [&](const run::MachineState& machine) { return machine.host == known.host; });
        if (!seated && machines.size() < named && known.host != "localhost")
            machines.push_back(
                {known.host, known.ranks, known.state == "lost" ? "lost" : "waiting", known.last_contact});
    }
    state_.machines = std::move(machines);
    state_changed_ = true;
}

}  // namespace trainyard::launch
