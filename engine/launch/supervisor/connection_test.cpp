// SPDX-License-Identifier: GPL-3.0-or-later
// Who reaches whom: the two halves that run on the hosts.

#include "launch/supervisor/connection_test.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/random_hex.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr double kTrySeconds = 3;
constexpr std::size_t kHalf = 16;

struct OwnAddress {
    std::string address;
    std::string interface;
    bool loopback = false;
    sockaddr_storage place{};
    socklen_t size = 0;
};

std::string text_of(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* bits = address->sa_family == AF_INET
                           ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                           : &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    return ::inet_ntop(address->sa_family, bits, text.data(), text.size()) == nullptr ? "" : text.data();
}

/// IPv4 first: collectives work over it everywhere. Link-local addresses mean nothing to others.
std::vector<OwnAddress> own_addresses() {
    std::vector<OwnAddress> found;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        return found;
    for (ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_UP) == 0)
            continue;
        int family = one->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6)
            continue;
        if (family == AF_INET6 &&
            IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr))
            continue;
        OwnAddress own;
        own.address = text_of(one->ifa_addr);
        own.interface = one->ifa_name;
        own.loopback = (one->ifa_flags & IFF_LOOPBACK) != 0;
        own.size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::memcpy(&own.place, one->ifa_addr, own.size);
        found.push_back(own);
    }
    ::freeifaddrs(list);
    std::ranges::stable_sort(found, {}, [](const OwnAddress& own) { return own.place.ss_family == AF_INET ? 0 : 1; });
    return found;
}

std::optional<int> listen_openly(OwnAddress own, FileDescriptor& socket) {
    socket = FileDescriptor(::socket(own.place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    auto* place = reinterpret_cast<sockaddr*>(&own.place);
    if (!socket || ::bind(socket.get(), place, own.size) != 0 || ::listen(socket.get(), 64) != 0 ||
        ::getsockname(socket.get(), place, &own.size) != 0)
        return std::nullopt;
    return ntohs(own.place.ss_family == AF_INET ? reinterpret_cast<sockaddr_in*>(place)->sin_port
                                                : reinterpret_cast<sockaddr_in6*>(place)->sin6_port);
}

/// A connection under way to one address of one target.
struct Attempt {
    std::size_t target = 0;
    std::string address;
    FileDescriptor socket;
    double begun = 0;
    bool connected = false;
    std::string heard;
    Message problem;  ///< not empty: over
};

Message why(int error) {
    return error == ECONNREFUSED                           ? Message("refused")
           : error == EHOSTUNREACH || error == ENETUNREACH ? Message("no route")
                                                           : system_message(error);
}

Attempt begin(std::size_t target, const std::string& address, int port) {
    Attempt attempt;
    attempt.target = target;
    attempt.address = address;
    attempt.begun = monotonic_seconds();
    sockaddr_storage place{};
    socklen_t size = 0;
    if (auto* four = reinterpret_cast<sockaddr_in*>(&place);
        ::inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(static_cast<std::uint16_t>(port));
        size = sizeof *four;
    } else if (auto* six = reinterpret_cast<sockaddr_in6*>(&place);
               ::inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(static_cast<std::uint16_t>(port));
        size = sizeof *six;
    } else {
        attempt.problem = "no address";
        return attempt;
    }
    attempt.socket = FileDescriptor(::socket(place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!attempt.socket ||
        (::connect(attempt.socket.get(), reinterpret_cast<sockaddr*>(&place), size) != 0 && errno != EINPROGRESS))
        attempt.problem = why(errno);
    return attempt;
}

/// Continues an attempt after poll; true once the peer has proved its identity.
bool advance(Attempt& attempt, const std::string& token) {
    if (!attempt.connected) {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(attempt.socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0) {
            attempt.problem = why(error);
            return false;
        }
        attempt.connected = true;
        if (::send(attempt.socket.get(), token.data(), kHalf, MSG_NOSIGNAL) != static_cast<ssize_t>(kHalf))
            attempt.problem = Message("closed");
        return false;
    }
    std::array<char, kHalf> buffer{};
    const ssize_t n =
        retry_interrupted([&] { return ::read(attempt.socket.get(), buffer.data(), kHalf - attempt.heard.size()); });
    if (n > 0)
        attempt.heard.append(buffer.data(), static_cast<std::size_t>(n));
    if (attempt.heard.size() == kHalf) {
        if (attempt.heard == token.substr(kHalf))
            return true;
        attempt.problem = "another machine answers at this address";
    } else if (n == 0 || (n < 0 && errno != EAGAIN)) {
        attempt.problem = Message("closed");
    }
    return false;
}

}  // namespace

ConnectionTestListener::ConnectionTestListener(const std::string& only) {
    self_.token = random_hex(2 * kHalf);
    std::vector<OwnAddress> own = own_addresses();
    if (std::ranges::any_of(own, [&](const OwnAddress& one) { return one.address == only; }))
        std::erase_if(own, [&](const OwnAddress& one) { return one.address != only; });
    else if (std::ranges::any_of(own, [](const OwnAddress& one) { return !one.loopback; }))
        std::erase_if(own, [](const OwnAddress& one) { return one.loopback; });
    for (const OwnAddress& one : own) {
        FileDescriptor socket;
        if (auto port = listen_openly(one, socket)) {
            self_.addresses.push_back({one.address, *port});
            listeners_.push_back(std::move(socket));
        }
    }
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError("too many files are open");
    stop_ = FileDescriptor(ends[0]);
    stopper_ = FileDescriptor(ends[1]);
    thread_ = std::thread([this] { serve(); });
}

ConnectionTestListener::~ConnectionTestListener() {
    stopper_.close();
    thread_.join();
}

void ConnectionTestListener::serve() {
    struct Guest {
        FileDescriptor socket;
        std::string said;
    };
    std::deque<Guest> guests;
    for (;;) {
        std::vector<pollfd> waits{{stop_.get(), POLLIN, 0}};
        for (const FileDescriptor& listener : listeners_)
            waits.push_back({listener.get(), POLLIN, 0});
        for (const Guest& guest : guests)
            waits.push_back({guest.socket.get(), POLLIN, 0});
        if (retry_interrupted([&] { return ::poll(waits.data(), waits.size(), -1); }) < 0 || waits[0].revents != 0)
            return;
        std::size_t first_guest = 1 + listeners_.size();
        for (std::size_t i = guests.size(); i-- > 0;) {
            Guest& guest = guests[i];
            if (waits[first_guest + i].revents == 0)
                continue;
            std::array<char, kHalf> buffer{};
            ssize_t n = ::read(guest.socket.get(), buffer.data(), kHalf);
            if (n > 0)
                guest.said.append(buffer.data(), static_cast<std::size_t>(n));
            if (guest.said == self_.token.substr(0, kHalf))
                (void)!::send(guest.socket.get(), self_.token.data() + kHalf, kHalf, MSG_NOSIGNAL);
            if (n <= 0 || guest.said.size() >= kHalf)
                guests.erase(guests.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (std::size_t i = 0; i < listeners_.size(); ++i)
            if (waits[1 + i].revents != 0)
                if (FileDescriptor guest(
                        ::accept4(listeners_[i].get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
                    guest && guests.size() < 256)
                    guests.push_back({std::move(guest), ""});
    }
}

std::vector<ConnectionTest> try_targets(const std::vector<ConnectionTarget>& targets) {
    std::vector<ConnectionTest> answers(targets.size());
    std::vector<Attempt> attempts;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        answers[i].to = targets[i].host;
        answers[i].problem = "it has no address";
        for (const auto& [address, port] : targets[i].addresses)
            if (targets[i].token.size() == 2 * kHalf)
                attempts.push_back(begin(i, address, port));
    }
    std::vector<OwnAddress> own = own_addresses();
    double until = monotonic_seconds() + kTrySeconds;
    for (;;) {
        std::vector<pollfd> waits;
        std::vector<Attempt*> waiting;
        for (Attempt& attempt : attempts)
            if (attempt.problem.empty() && attempt.socket) {
                waits.push_back({attempt.socket.get(), static_cast<short>(attempt.connected ? POLLIN : POLLOUT), 0});
                waiting.push_back(&attempt);
            }
        double left = until - monotonic_seconds();
        if (waits.empty() || left <= 0 || ::poll(waits.data(), waits.size(), static_cast<int>(left * 1000) + 1) < 0)
            break;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            Attempt& attempt = *waiting[i];
            if (waits[i].revents == 0 || !advance(attempt, targets[attempt.target].token))
                continue;
            ConnectionTest& answer = answers[attempt.target];
            sockaddr_storage local{};
            socklen_t size = sizeof local;
            ::getsockname(attempt.socket.get(), reinterpret_cast<sockaddr*>(&local), &size);
            // Of several that work the first in the target's order (IPv4 before IPv6) is kept.
            auto place = [&](const std::string& address) {
                return std::ranges::find(targets[attempt.target].addresses, address, &ConnectionAddress::address);
            };
            if (!answer.ok || place(attempt.address) < place(answer.address)) {
                answer.ok = true;
                answer.address = attempt.address;
                answer.round_trip_s = monotonic_seconds() - attempt.begun;
                answer.local_address = text_of(reinterpret_cast<sockaddr*>(&local));
                auto mine = std::ranges::find(own, answer.local_address, &OwnAddress::address);
                answer.interface = mine == own.end() ? "" : mine->interface;
            }
            attempt.socket.close();
        }
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        std::vector<Message> reasons;
        for (const Attempt& attempt : attempts)
            if (attempt.target == i)
                reasons.push_back(
                    Message("{}: {}", attempt.address,
                            attempt.problem.empty() ? Message("no answer for {} s", kTrySeconds) : attempt.problem));
        if (answers[i].ok)
            answers[i].problem = {};
        else if (!reasons.empty())
            answers[i].problem = Message::joined(reasons, ", ");
    }
    return answers;
}

}  // namespace trainyard::launch
