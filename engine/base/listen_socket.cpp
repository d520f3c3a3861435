// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/listen_socket.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/error.h"

namespace trainyard {

namespace {

int port_of(const sockaddr_storage& place) {
    return ntohs(place.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(place).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(place).sin_port);
}

}  // namespace

FileDescriptor listen_on(const std::string& address, int& port) {
    if (port < 0 || port > 65535)
        throw UserError("{} is not a port: give 1 to 65535, or 0 for a free one", port);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* answer = nullptr;
    if (const int error = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &answer); error != 0)
        throw UserError("the address '{}' is unknown: {}", address, ::gai_strerror(error));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> places(answer, &::freeaddrinfo);
    constexpr int kWaiting = 2048;  ///< connections that are not taken yet; the kernel has its own limit below
    int error = EADDRNOTAVAIL;
    for (const addrinfo* place = places.get(); place != nullptr; place = place->ai_next) {
        FileDescriptor socket(::socket(place->ai_family, place->ai_socktype | SOCK_CLOEXEC, place->ai_protocol));
        const int yes = 1;
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        sockaddr_storage bound{};
        socklen_t size = sizeof bound;
        if (socket && ::bind(socket.get(), place->ai_addr, place->ai_addrlen) == 0 &&
            ::listen(socket.get(), kWaiting) == 0 &&
            ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size) == 0) {
            port = port_of(bound);
            return socket;
        }
        error = errno;
    }
    if (error == EADDRINUSE)
        throw UserError("port {} of {} is in use by another program: give another one, or 0 for a free one", port,
                        address);
    if (error == EADDRNOTAVAIL)
        throw UserError(
            "{} is not an address of this machine: give one of its own, or start this on the machine that has it",
            address);
    throw UserError("cannot listen on {}:{}: {}", address, port, system_message(error));
}

FileDescriptor reserve_port(int port) {
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string text = fmt::format("trainyard-port-{}", port);
    std::memcpy(name.sun_path + 1, text.data(), text.size());  // abstract: begins with a NUL byte, and no file exists
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    if (socket && ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), size) != 0)
        socket.close();
    return socket;
}

FileDescriptor listen_for_ranks(const std::string& address, int& port, FileDescriptor& reservation) {
    constexpr int kMostTries = 16;  // of free ports that other launches have reserved
    const int wanted = port;
    std::vector<FileDescriptor> passed_over;  // open until the end, so that the system offers others
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
        port = wanted;
        FileDescriptor socket = listen_on(address, port);
        reservation = reserve_port(port);
        if (reservation)
            return socket;
        if (wanted != 0)
            break;
        passed_over.push_back(std::move(socket));
    }
    throw UserError("port {} of this machine is in use by another launch: give another one, or 0 for a free one", port);
}

int free_port(const std::string& address) {
    int port = 0;
    FileDescriptor reservation;
    try {
        listen_for_ranks(address, port, reservation);
    } catch (const UserError&) {
        return 0;
    }
    return port;
}

}  // namespace trainyard
