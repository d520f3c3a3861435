// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/remote_machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

namespace trainyard::launch {

namespace {
constexpr int kSlowBeats = 3;  // one late heartbeat is chance
}

RemoteMachine::RemoteMachine(std::string host, const LinkTimes& times) : host_(std::move(host)), times_(times) {}

RemoteMachine::~RemoteMachine() = default;  // the end of the connection ends the ranks

void RemoteMachine::attach(std::unique_ptr<AgentConnection> connection) {
    connection_ = std::move(connection);
    last_contact_ = wall_seconds();
    seen_ = 0;
    beaten_ = 0;
    slow_beats_ = 0;
}

void RemoteMachine::start(const MachineOrder& order) {
    if (!connection_)
        throw UserError("{} cannot start its ranks: there is no connection to its agent", host_);
    generation_ = order.generation;
    ranks_.clear();
    for (const RankOrder& rank : order.ranks)
        ranks_.push_back({rank.rank, false, {}});
    connection_->send(FrameKind::message, to_json(HeadOrder(order)));
    connection_->flush();
}

void RemoteMachine::add_descriptors(std::vector<pollfd>& descriptors) const {
    if (connection_)
        connection_->add_descriptors(descriptors);
}

void RemoteMachine::tend() {
    if (!connection_)
        return;
    beat();
    connection_->exchange();
    try {
        while (auto frame = connection_->next()) {
            last_contact_ = wall_seconds();
            take_frame(*frame);
            if (!connection_)
                return;
        }
    } catch (const WireError& error) {
        return lose(Message("the connection to {} was ended: {}", host_, error.message()));
    }
    if (connection_->broken())
        return lose(Message("the connection to the agent of {} is gone: {}", host_, connection_->why()));
    if (monotonic_seconds() - connection_->heard() > times_.lease_s)
        return lose(
            Message("no contact with {} ({}) for {}", host_, connection_->peer(), text::duration(times_.lease_s)));
    connection_->flush();
}

void RemoteMachine::beat() {
    double now = monotonic_seconds();
    if (now - beaten_ < times_.heartbeat_s)
        return;
    beaten_ = now;
    connection_->send_heartbeat(to_json(LinkHeartbeat{0, seen_, 0, {}}));
}

void RemoteMachine::take_frame(const Frame& frame) {
    switch (frame.kind) {
        case FrameKind::heartbeat:
            return take_heartbeat(parse_heartbeat(frame.payload));
        case FrameKind::message:
            return take_report(parse_report(frame.payload));
        case FrameKind::output: {
            std::string_view bytes;
            OutputHeader header = parse_output(frame.payload, bytes);
            if (find(header.generation, header.rank) != nullptr)
                later([header, text = std::string(bytes)](RankListener& listener) {
                    listener.wrote(header.rank, text, header.standard_error);
                });
            return;
        }
        case FrameKind::events:
            return later([host = host_, part = parse_event_part(frame.payload)](RankListener& listener) {
                listener.curves(host, part);
            });
        case FrameKind::refusal:
            return lose(Message("{} left: {}", host_, parse_refusal(frame.payload).reason));
        case FrameKind::hello:
            throw WireError("it does not keep to the order of the handshake");
    }
}

void RemoteMachine::take_heartbeat(const LinkHeartbeat& heartbeat) {
    seen_ = heartbeat.number;
    // At once: the agent's lease runs from when it sent this one.
    beaten_ = monotonic_seconds();
    connection_->send_heartbeat(to_json(LinkHeartbeat{0, seen_, 0, {}}));
    for (RankHere& rank : ranks_)
        rank.condition = {};
    for (const auto& [number, text] : heartbeat.conditions)
        if (RankHere* rank = find(generation_, number))
            rank->condition = text;
    slow_beats_ = heartbeat.round_trip_s > times_.slow_s ? slow_beats_ + 1 : 0;
    if (slow_beats_ < kSlowBeats || warned_of_slowness_)
        return;
    warned_of_slowness_ = true;
    const Message text(
        "the link to {} ({}) is slow: a heartbeat takes {} there and back; training "
        "waits for it at every step",
        host_, connection_->peer_address(), text::duration(heartbeat.round_trip_s));
    later([host = host_, text](RankListener& listener) { listener.warned(host, text); });
}

RemoteMachine::RankHere* RemoteMachine::find(int generation, int rank) {
    if (generation != generation_)
        return nullptr;
    auto found = std::ranges::find(ranks_, rank, &RankHere::rank);
    return found == ranks_.end() || found->ended ? nullptr : &*found;
}

void RemoteMachine::take_report(const AgentReport& report) {
    if (const auto* started = std::get_if<RankStarted>(&report)) {
        if (find(started->generation, started->rank) != nullptr)
            later([one = *started](RankListener& listener) { listener.started(one.rank, one.process); });
    } else if (const auto* said = std::get_if<RankSaid>(&report)) {
        if (find(said->generation, said->rank) != nullptr)
            later([one = *said](RankListener& listener) { listener.said(one.rank, one.line); });
    } else if (const auto* ended = std::get_if<RankEnded>(&report)) {
        if (RankHere* rank = find(ended->generation, ended->rank)) {
            rank->ended = true;
            later([one = *ended](RankListener& listener) { listener.ended(one.rank, one.status, one.reason); });
        }
    } else if (const auto* failed = std::get_if<StartFailed>(&report)) {
        if (failed->generation != generation_ || all_ended())
            return;
        for (RankHere& rank : ranks_)
            rank.ended = true;
        later([host = host_, reason = failed->reason](RankListener& listener) { listener.lost(host, reason); });
    } else if (const auto* preempted = std::get_if<Preempted>(&report)) {
        later([host = host_, reason = preempted->reason](RankListener& listener) { listener.preempted(host, reason); });
    }
}

void RemoteMachine::lose(const Message& reason) {
    connection_.reset();
    bool ran = !all_ended();
    for (RankHere& rank : ranks_)
        rank.ended = true;
    if (ran)
        later([host = host_, reason](RankListener& listener) { listener.lost(host, reason); });
}

void RemoteMachine::later(std::function<void(RankListener&)> event) {
    events_.push_back(std::move(event));
}

void RemoteMachine::take(RankListener& listener) {
    tend();
    // A listener may order something that ends the connection: the events are taken from here one by one.
    while (!events_.empty()) {
        auto event = std::move(events_.front());
        events_.pop_front();
        event(listener);
    }
}

void RemoteMachine::send(int rank, const std::string& line) {
    if (!connection_ || find(generation_, rank) == nullptr)
        return;
    connection_->send(FrameKind::message, to_json(HeadOrder(SendOrder{rank, line})));
    connection_->flush();
}

void RemoteMachine::signal(int number) {
    if (!connection_ || all_ended())
        return;
    connection_->send(FrameKind::message, to_json(HeadOrder(SignalOrder{number})));
    connection_->flush();
}

bool RemoteMachine::all_ended() const {
    return std::ranges::all_of(ranks_, &RankHere::ended);
}

Message RemoteMachine::condition(int rank) const {
    auto found = std::ranges::find(ranks_, rank, &RankHere::rank);
    return found == ranks_.end() ? "" : found->condition;
}

void RemoteMachine::say_goodbye(const RunOver& over, double seconds) {
    if (!connection_)
        return;
    connection_->send(FrameKind::message, to_json(HeadOrder(over)));
    connection_->finish(seconds);
    connection_.reset();
}

}  // namespace trainyard::launch
