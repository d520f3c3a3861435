#include "launch/store_socket.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace trainyard::launch {

namespace {

/// An address of this machine; names are looked up.
struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
    int family = 0;
    std::string problem;

    Address(const std::string& text, int port) {
        addrinfo hints{};
        hints.ai_family = AF_UNSPEC;
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* found = nullptr;
        int code = ::getaddrinfo(text.c_str(), nullptr, &hints, &found);
        if (code != 0) {
            problem = fmt::format("the address '{}' is unknown: {}", text, ::gai_strerror(code));
            return;
        }
        std::memcpy(&storage, found->ai_addr, found->ai_addrlen);
        size = found->ai_addrlen;
        family = found->ai_family;
        ::freeaddrinfo(found);
        auto number = htons(static_cast<std::uint16_t>(port));
        if (family == AF_INET6)
            reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port = number;
        else
            reinterpret_cast<sockaddr_in*>(&storage)->sin_port = number;
    }
    sockaddr* generic() { return reinterpret_cast<sockaddr*>(&storage); }
    int port() const {
        return ntohs(family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port
                                        : reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
    }
};

}  // namespace

FileDescriptor listen_on(const std::string& address, int& port, std::string& problem) {
    if (port < 0 || port > 65535) {
        problem = fmt::format("{} is no port: give 1 to 65535, or 0 for a free one", port);
        return FileDescriptor();
    }
    Address place(address, port);
    if (!place.problem.empty()) {
        problem = place.problem;
        return FileDescriptor();
    }
    FileDescriptor socket(::socket(place.family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (!socket || ::bind(socket.get(), place.generic(), place.size) != 0 || ::listen(socket.get(), 2048) != 0 ||
        ::getsockname(socket.get(), place.generic(), &place.size) != 0) {
        int error = errno;
        problem = error == EADDRINUSE
                      ? fmt::format("port {} of {} is in use by another program: give another one, or 0 for a free one",
                                    port, address)
                      : fmt::format("cannot listen on {}:{}: {}", address, port, std::strerror(error));
        return FileDescriptor();
    }
    port = place.port();
    return socket;
}

int free_port(const std::string& address) {
    int port = 0;
    std::string problem;
    return listen_on(address, port, problem) ? port : 0;
}

}  // namespace trainyard::launch
