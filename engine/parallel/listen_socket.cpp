#include "parallel/listen_socket.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

namespace trainyard::parallel {

int listen_at(const std::string& address, int port) {
    std::string place = address + ":" + std::to_string(port);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* answer = nullptr;
    if (int error = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &answer); error != 0)
        throw UserError("cannot listen at " + place + ": " + ::gai_strerror(error) +
                        ": set MASTER_ADDR to an address of rank 0");
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> places(answer, &::freeaddrinfo);
    int error = EADDRNOTAVAIL;
    for (const addrinfo* candidate = places.get(); candidate != nullptr; candidate = candidate->ai_next) {
        int fd = ::socket(candidate->ai_family, candidate->ai_socktype | SOCK_CLOEXEC, candidate->ai_protocol);
        if (fd < 0)
            continue;
        int yes = 1;
        ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (::bind(fd, candidate->ai_addr, candidate->ai_addrlen) == 0 && ::listen(fd, 512) == 0)
            return fd;
        error = errno;
        ::close(fd);
    }
    throw UserError("cannot listen at " + place + ": " + std::strerror(error) +
                    ": choose another MASTER_PORT, or an address of this machine for MASTER_ADDR");
}

}  // namespace trainyard::parallel
