// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/agent_listener.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kMostGuests = 64;
constexpr std::size_t kMostNotes = 20;
constexpr double kLeavingSeconds = 1;  ///< for a guest that was turned away to read why

std::string shortened(const std::string& text) {
    std::string clean;
    for (char letter : text.substr(0, 60))
        clean.push_back(letter >= ' ' && letter < 127 ? letter : '?');
    return clean;
}

Message own_version() {
    return Message("{} (protocol {})", TRAINYARD_VERSION, kAgentProtocol);
}

}  // namespace

/// A connection that has not joined.
struct AgentListener::Guest {
    enum class Stage { hello, join, leaving };
    std::unique_ptr<AgentConnection> connection;
    Stage stage = Stage::hello;
    double came = monotonic_seconds();
};

AgentListener::AgentListener(ListenerOptions options) : options_(std::move(options)) {}
AgentListener::~AgentListener() = default;

void AgentListener::open() {
    if (socket_)
        return;
    socket_ = listen_on(options_.address, options_.port);
    ::fcntl(socket_.get(), F_SETFL, O_NONBLOCK);
}

void AgentListener::meet_as(const std::string& run_id) {
    if (options_.rendezvous.empty())
        options_.rendezvous = run_id;
}

void AgentListener::close() {
    socket_.close();
    guests_.clear();
}

void AgentListener::add_descriptors(std::vector<pollfd>& descriptors) const {
    if (socket_)
        descriptors.push_back({socket_.get(), POLLIN, 0});
    for (const auto& guest : guests_)
        guest->connection->add_descriptors(descriptors);
}

void AgentListener::take() {
    if (!socket_)
        return;
    accept_all();
    for (std::size_t i = guests_.size(); i-- > 0;)
        if (!go_on(*guests_[i]))
            guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(i));
}

void AgentListener::accept_all() {
    for (;;) {
        sockaddr_storage place{};
        socklen_t size = sizeof place;
        FileDescriptor socket(retry_interrupted([&] {
            return ::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&place), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
        }));
        if (!socket) {
            if (errno == ECONNABORTED)
                continue;
            return;
        }
        char host[NI_MAXHOST] = {}, service[NI_MAXSERV] = {};
        ::getnameinfo(reinterpret_cast<const sockaddr*>(&place), size, host, sizeof host, service, sizeof service,
                      NI_NUMERICHOST | NI_NUMERICSERV);
        if (guests_.size() >= kMostGuests) {
            note(Message("{} was turned away: {} connections are waiting already", host, kMostGuests));
            continue;
        }
        auto guest = std::make_unique<Guest>();
        guest->connection = std::make_unique<AgentConnection>(
            std::move(socket), fmt::format("{}:{}", host, service),
            SecureChannel(SecureChannel::Role::server, options_.secret, options_.rendezvous));
        guests_.push_back(std::move(guest));
    }
}

bool AgentListener::go_on(Guest& guest) {
    AgentConnection& connection = *guest.connection;
    connection.exchange();
    if (guest.stage == Guest::Stage::leaving)
        return !connection.broken() && monotonic_seconds() - guest.came < kLeavingSeconds;
    try {
        while (auto frame = connection.next())
            if (!take_frame(guest, *frame))
                return guest.stage == Guest::Stage::leaving;
    } catch (const WireError& error) {
        return turn_away(guest, {}, Message("a connection from {} was closed: {}", connection.peer(), error.message()));
    }
    if (connection.broken()) {
        note_failure(connection);
        return false;
    }
    if (monotonic_seconds() - guest.came > options_.handshake_s)
        return turn_away(guest, {},
                         Message("a connection from {} was closed: it did not prove that it belongs to this "
                                 "run",
                                 connection.peer()));
    connection.flush();
    return true;
}

bool AgentListener::take_frame(Guest& guest, const Frame& frame) {
    AgentConnection& connection = *guest.connection;
    if (frame.kind == FrameKind::heartbeat && guest.stage == Guest::Stage::join)
        return true;
    if (frame.kind != (guest.stage == Guest::Stage::hello ? FrameKind::hello : FrameKind::message))
        throw WireError("it does not keep to the order of the handshake");
    if (guest.stage == Guest::Stage::hello) {
        Hello hello = parse_hello(frame.payload);
        if (hello.protocol != kAgentProtocol || hello.version != TRAINYARD_VERSION)
            return turn_away(
                guest,
                Message("the head of the run is Trainyard {}, this machine has {} (protocol {}): install the "
                        "same version on both",
                        own_version(), shortened(hello.version), hello.protocol),
                Message("{} was turned away: it has Trainyard {}, this is {}: install the same version on "
                        "both",
                        connection.peer(), shortened(hello.version), own_version()));
        guest.stage = Guest::Stage::join;
        return true;
    }
    AgentReport report = parse_report(frame.payload);
    const auto* request = std::get_if<JoinRequest>(&report);
    if (request == nullptr)
        throw WireError("it does not say what it brings");
    arrivals_.push_back({*request, std::move(guest.connection)});
    return false;
}

void AgentListener::note_failure(AgentConnection& connection) {
    const SecureChannel& channel = connection.channel();
    switch (channel.failure()) {
        case SecureChannel::Failure::other_rendezvous:
            return note(Message("{} was turned away: it wants to join '{}', which is not this run", connection.peer(),
                                shortened(channel.requested_rendezvous())));
        case SecureChannel::Failure::peer_lacks_secret:
            return note(Message("{} was turned away: it does not know the run's secret", connection.peer()));
        case SecureChannel::Failure::unencrypted:
            connection.send_unencrypted(
                {FrameKind::refusal,
                 to_json(Refusal{Message("the head of the run is Trainyard {}, which requires TLS: install the same "
                                         "version on both",
                                         own_version()),
                                 true})});
            return note(
                Message("{} was turned away: its Trainyard does not use TLS, this is {}: install the same "
                        "version on both",
                        connection.peer(), own_version()));
        case SecureChannel::Failure::secret_refused:
        case SecureChannel::Failure::other:
            return note(Message("a connection from {} was closed: {}", connection.peer(), channel.why()));
        case SecureChannel::Failure::none:
        case SecureChannel::Failure::closed:
            return;
    }
}

bool AgentListener::turn_away(Guest& guest, const Message& to_it, const Message& to_us) {
    note(to_us);
    if (to_it.empty())
        return false;
    say_farewell(guest, {to_it, true});
    return false;
}

void AgentListener::note(const Message& text) {
    if (notes_.size() < kMostNotes)
        notes_.push_back(text);
}

std::optional<AgentListener::Arrival> AgentListener::next_arrival() {
    if (arrivals_.empty())
        return std::nullopt;
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    return arrival;
}

std::vector<Message> AgentListener::take_notes() {
    return std::exchange(notes_, {});
}

void AgentListener::refuse(std::unique_ptr<AgentConnection> connection, const Refusal& refusal) {
    auto guest = std::make_unique<Guest>();
    guest->connection = std::move(connection);
    say_farewell(*guest, refusal);
    guests_.push_back(std::move(guest));
}

void AgentListener::say_farewell(Guest& guest, const Refusal& refusal) {
    guest.connection->send(FrameKind::refusal, to_json(refusal));
    guest.connection->flush();
    guest.stage = Guest::Stage::leaving;
    guest.came = monotonic_seconds();
}

}  // namespace trainyard::launch
