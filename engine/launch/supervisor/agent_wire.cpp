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
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kMostWaitingOutput = 256u << 10;
constexpr std::size_t kMostWaitingMessages = 16u << 20;
constexpr std::size_t kSealedAhead = 64u << 10;  ///< what a heartbeat cannot overtake any more
constexpr std::size_t kReadAtOnce = 1u << 20;
constexpr int kSocketBuffer = 128 << 10;

std::string big_endian(std::uint64_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = bytes; i-- > 0;)
        text.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
    return text;
}

std::uint64_t from_big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (char byte : bytes)
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

bool is_known(FrameKind kind, bool authenticated) {
    switch (kind) {
        case FrameKind::hello:
        case FrameKind::challenge:
        case FrameKind::proof:
            return !authenticated;
        case FrameKind::refusal:
            return true;
        case FrameKind::message:
        case FrameKind::output:
        case FrameKind::heartbeat:
        case FrameKind::events:
            return authenticated;
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
    std::size_t overhead = 1 + (key_ ? kNumberBytes + sizeof(Digest) : 0);
    std::size_t length = from_big_endian(all.substr(0, kLengthBytes));
    if (length < overhead || length > (key_ ? kLongestFrame : kLongestHandshakeFrame))
        throw WireError(Message("it sent a frame of {} bytes, which none of Trainyard's is", length));
    if (all.size() < kLengthBytes + length)
        return std::nullopt;
    std::string_view body = all.substr(kLengthBytes, length);
    Frame frame;
    frame.kind = static_cast<FrameKind>(body[0]);
    if (!is_known(frame.kind, key_.has_value()))
        throw WireError(Message("it sent a frame of kind {}, which nobody expects here", static_cast<int>(frame.kind)));
    if (key_) {
        std::string_view sealed = body.substr(0, length - sizeof(Digest));
        Digest expected = hmac_sha256(bytes_of(*key_), sealed);
        if (!equal_in_constant_time(bytes_of(expected), body.substr(sealed.size())))
            throw WireError("a frame was changed on its way, or is not of this run");
        if (from_big_endian(sealed.substr(1, kNumberBytes)) != number_)
            throw WireError("a frame is missing or came twice");
        ++number_;
        body = sealed.substr(kNumberBytes);
    }
    frame.payload = body.substr(1);
    begin_ += kLengthBytes + length;
    if (begin_ == buffer_.size() || begin_ > kReadAtOnce) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    return frame;
}

std::string FrameWriter::bytes_of(const Frame& frame) {
    std::string body(1, static_cast<char>(frame.kind));
    if (key_)
        body += big_endian(number_++, kNumberBytes);
    body += frame.payload;
    if (key_) {
        Digest digest = hmac_sha256(launch::bytes_of(*key_), body);
        body += launch::bytes_of(digest);
    }
    return big_endian(body.size(), kLengthBytes) + body;
}

AgentConnection::AgentConnection(FileDescriptor socket, std::string peer)
    : socket_(std::move(socket)), peer_(std::move(peer)), heard_(monotonic_seconds()) {
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

void AgentConnection::use_keys(const Digest& sending, const Digest& receiving) {
    // What was said before is not to be sealed with the new key.
    while (!waiting_.empty() && !broken_) {
        outgoing_ += writer_.bytes_of(waiting_.front());
        waiting_.pop_front();
    }
    waiting_messages_ = 0;
    writer_.use_key(sending);
    reader_.use_key(receiving);
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
        while (outgoing_.size() < kSealedAhead && (!urgent_.empty() || !waiting_.empty())) {
            std::deque<Frame>& lane = urgent_.empty() ? waiting_ : urgent_;
            Frame& frame = lane.front();
            if (frame.kind == FrameKind::output)
                waiting_output_ -= frame.payload.size();
            else if (frame.kind == FrameKind::events)
                waiting_events_ -= frame.payload.size();
            else if (&lane == &waiting_)
                waiting_messages_ -= std::min(waiting_messages_, frame.payload.size());
            outgoing_ += writer_.bytes_of(frame);
            lane.pop_front();
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
    for (std::size_t taken = 0; !broken_ && taken < kReadAtOnce && reader_.buffered() < 2 * kLongestFrame;) {
        const ssize_t n = retry_interrupted([&] { return ::recv(socket_.get(), buffer, sizeof buffer, 0); });
        if (n > 0) {
            reader_.feed({buffer, static_cast<std::size_t>(n)});
            taken += static_cast<std::size_t>(n);
        } else if (n == 0)
            give_up("it closed the connection");
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else
            give_up(system_message(errno));
    }
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
    bool half_closed = false;
    while (!broken_ && monotonic_seconds() < until) {
        write_some();
        if (!sending() && !half_closed) {
            ::shutdown(socket_.get(), SHUT_WR);
            half_closed = true;
        }
        // What still comes is of no consequence, but closing with it unread would make the peer lose our last words.
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
