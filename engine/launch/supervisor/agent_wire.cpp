// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/agent_wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kMostWaitingOutput = 256u << 10;
constexpr std::size_t kMostWaitingMessages = 16u << 20;
constexpr std::size_t kEncryptedAhead = 64u << 10;  ///< bytes that a heartbeat cannot overtake any more
constexpr std::size_t kReadAtOnce = 1u << 20;
constexpr int kSocketBuffer = 128 << 10;

bool is_known(FrameKind kind) {
    switch (kind) {
        case FrameKind::hello:
        case FrameKind::refusal:
        case FrameKind::message:
        case FrameKind::output:
        case FrameKind::heartbeat:
        case FrameKind::events:
            return true;
    }
    return false;
}

std::string endpoint_name(const sockaddr_storage& place, socklen_t size) {
    char host[NI_MAXHOST] = {};
    if (::getnameinfo(reinterpret_cast<const sockaddr*>(&place), size, host, sizeof host, nullptr, 0, NI_NUMERICHOST) !=
        0)
        return {};
    return host;
}

}  // namespace

std::optional<Frame> FrameReader::next() {
    std::string_view all = std::string_view(buffer_).substr(begin_);
    if (all.size() < kLengthBytes)
        return std::nullopt;
    std::size_t length = 0;
    for (char byte : all.substr(0, kLengthBytes))
        length = length << 8 | static_cast<unsigned char>(byte);
    if (length == 0 || length > kLongestFrame)
        throw WireError(Message("it sent a frame of {} bytes, which none of Trainyard's is", length));
    if (all.size() < kLengthBytes + length)
        return std::nullopt;
    Frame frame{static_cast<FrameKind>(all[kLengthBytes]), std::string(all.substr(kLengthBytes + 1, length - 1))};
    if (!is_known(frame.kind))
        throw WireError(Message("it sent a frame of kind {}, which nobody expects here", static_cast<int>(frame.kind)));
    begin_ += kLengthBytes + length;
    if (begin_ == buffer_.size() || begin_ > kReadAtOnce) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    return frame;
}

std::string encode_frame(const Frame& frame) {
    const std::size_t length = 1 + frame.payload.size();
    std::string bytes;
    bytes.reserve(kLengthBytes + length);
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>((length >> shift) & 0xff));
    bytes.push_back(static_cast<char>(frame.kind));
    bytes += frame.payload;
    return bytes;
}

AgentConnection::AgentConnection(FileDescriptor socket, std::string peer, SecureChannel channel)
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      channel_(std::move(channel)),
      outgoing_(channel_.take_outgoing()),
      heard_(monotonic_seconds()) {
    int yes = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof kSocketBuffer);
    ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

std::string AgentConnection::own_address() const {
    sockaddr_storage place{};
    socklen_t size = sizeof place;
    return ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&place), &size) == 0 ? endpoint_name(place, size)
                                                                                         : "";
}

std::string AgentConnection::peer_address() const {
    sockaddr_storage place{};
    socklen_t size = sizeof place;
    return ::getpeername(socket_.get(), reinterpret_cast<sockaddr*>(&place), &size) == 0 ? endpoint_name(place, size)
                                                                                         : "";
}

void AgentConnection::send(FrameKind kind, std::string payload) {
    if (broken_)
        return;
    waiting_messages_ += payload.size();
    if (waiting_messages_ > kMostWaitingMessages)
        return give_up("it takes nothing any more");
    waiting_.push_back({kind, std::move(payload)});
}

bool AgentConnection::send_output(std::string payload) {
    if (broken_ || waiting_output_ + payload.size() > kMostWaitingOutput)
        return false;
    waiting_output_ += payload.size();
    waiting_.push_back({FrameKind::output, std::move(payload)});
    return true;
}

bool AgentConnection::send_events(std::string payload, std::size_t most_waiting) {
    if (broken_ || (waiting_events_ > 0 && waiting_events_ + payload.size() > most_waiting))
        return false;
    waiting_events_ += payload.size();
    waiting_.push_back({FrameKind::events, std::move(payload)});
    return true;
}

void AgentConnection::send_heartbeat(std::string payload) {
    if (broken_)
        return;
    urgent_.clear();  // one that could not leave says nothing beside the new one
    urgent_.push_back({FrameKind::heartbeat, std::move(payload)});
}

void AgentConnection::add_descriptors(std::vector<pollfd>& descriptors) const {
    if (!broken_)
        descriptors.push_back(
            {socket_.get(), static_cast<short>(POLLIN | (sending() || !connected_ ? POLLOUT : 0)), 0});
}

void AgentConnection::find_out_whether_connected() {
    pollfd state{socket_.get(), POLLOUT, 0};
    if (connected_ || broken_ || ::poll(&state, 1, 0) <= 0)
        return;
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    refused_ = error == ECONNREFUSED;
    if (error != 0)
        return give_up(system_message(error));
    connected_ = true;
}

void AgentConnection::flush() {
    find_out_whether_connected();
    if (connected_ && !broken_)
        write_some();
}

void AgentConnection::exchange() {
    flush();
    if (connected_ && !broken_)
        read_some();
}

void AgentConnection::write_some() {
    while (!broken_ && sending()) {
        while (channel_.established() && outgoing_.size() < kEncryptedAhead &&
               (!urgent_.empty() || !waiting_.empty())) {
            std::deque<Frame>& lane = urgent_.empty() ? waiting_ : urgent_;
            Frame& frame = lane.front();
            if (frame.kind == FrameKind::output)
                waiting_output_ -= frame.payload.size();
            else if (frame.kind == FrameKind::events)
                waiting_events_ -= frame.payload.size();
            else if (&lane == &waiting_)
                waiting_messages_ -= std::min(waiting_messages_, frame.payload.size());
            channel_.send(encode_frame(frame));
            outgoing_ += channel_.take_outgoing();
            lane.pop_front();
            if (channel_.failure() != SecureChannel::Failure::none)
                return give_up(channel_.why());
        }
        const ssize_t n =
            retry_interrupted([&] { return ::send(socket_.get(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL); });
        if (n > 0)
            outgoing_.erase(0, static_cast<std::size_t>(n));
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else
            give_up(system_message(errno));
    }
}

void AgentConnection::read_some() {
    char buffer[65536];
    std::string plaintext;
    for (std::size_t taken = 0; !broken_ && taken < kReadAtOnce && reader_.buffered() < 2 * kLongestFrame;) {
        const ssize_t n = retry_interrupted([&] { return ::recv(socket_.get(), buffer, sizeof buffer, 0); });
        if (n > 0) {
            plaintext.clear();
            channel_.receive({buffer, static_cast<std::size_t>(n)}, plaintext);
            reader_.feed(plaintext);
            taken += static_cast<std::size_t>(n);
            outgoing_ += channel_.take_outgoing();
            if (channel_.failure() != SecureChannel::Failure::none) {
                // The peer learns the reason from an alert, which an idle connection has room for.
                ::send(socket_.get(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
                give_up(channel_.why());
            }
        } else if (n == 0)
            give_up(channel_.established() ? Message("it closed the connection")
                                           : Message("it closed the connection before the TLS handshake was complete"));
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else
            give_up(system_message(errno));
    }
}

void AgentConnection::send_unencrypted(const Frame& frame) {
    const std::string bytes = encode_frame(frame);
    ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

std::optional<Frame> AgentConnection::next() {
    std::optional<Frame> frame = reader_.next();
    if (frame)
        heard_ = monotonic_seconds();
    return frame;
}

void AgentConnection::give_up(const Message& why) {
    broken_ = true;
    why_ = why;
}

void AgentConnection::finish(double seconds) {
    double until = monotonic_seconds() + seconds;
    bool closed = false, half_closed = false;
    while (!broken_ && monotonic_seconds() < until) {
        write_some();
        if (!sending() && !closed) {
            channel_.close();
            outgoing_ += channel_.take_outgoing();
            closed = true;
        } else if (!sending() && !half_closed) {
            ::shutdown(socket_.get(), SHUT_WR);
            half_closed = true;
        }
        // Incoming bytes are read and dropped: closing with unread bytes resets the connection, and the peer may lose
        // our last frames.
        char buffer[65536];
        const ssize_t n = retry_interrupted([&] { return ::recv(socket_.get(), buffer, sizeof buffer, 0); });
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK))
            break;
        pollfd state{socket_.get(), static_cast<short>(POLLIN | (sending() ? POLLOUT : 0)), 0};
        if (n < 0)
            ::poll(&state, 1, 20);
    }
    socket_.close();
    broken_ = true;
}

FileDescriptor begin_connecting(const std::string& address, int port, Message& error) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* answer = nullptr;
    error = {};
    if (int code = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &answer); code != 0) {
        error = Message::table_text(::gai_strerror(code));
        return FileDescriptor();
    }
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> places(answer, &::freeaddrinfo);
    FileDescriptor socket(::socket(places->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, places->ai_protocol));
    if (!socket || (::connect(socket.get(), places->ai_addr, places->ai_addrlen) != 0 && errno != EINPROGRESS)) {
        error = system_message(errno);
        return FileDescriptor();
    }
    return socket;
}

}  // namespace trainyard::launch
