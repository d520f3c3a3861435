// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/system_call.h"

#include <array>

#include <sys/socket.h>
#include <unistd.h>

namespace trainyard {

namespace {

/// `put(rest, done)` transfers some of the rest.
template <class Put>
bool all_of(std::string_view bytes, Put put) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = retry_interrupted([&] { return put(bytes.substr(done), done); });
        if (n == 0)
            errno = EIO;
        if (n <= 0)
            return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

template <class Take>
ssize_t all_of(std::span<std::byte> out, Take take) {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t n = retry_interrupted([&] { return take(out.subspan(done), done); });
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += static_cast<std::size_t>(n);
    }
    return static_cast<ssize_t>(done);
}

}  // namespace

bool write_all(int fd, std::string_view bytes) {
    return all_of(bytes, [fd](std::string_view rest, std::size_t) { return ::write(fd, rest.data(), rest.size()); });
}

bool write_all_at(int fd, std::string_view bytes, std::uint64_t offset) {
    return all_of(bytes, [=](std::string_view rest, std::size_t done) {
        return ::pwrite(fd, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    });
}

bool send_all(int socket, std::string_view bytes) {
    return all_of(bytes, [socket](std::string_view rest, std::size_t) {
        return ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    });
}

ssize_t read_all(int fd, std::span<std::byte> out) {
    return all_of(out, [fd](std::span<std::byte> rest, std::size_t) { return ::read(fd, rest.data(), rest.size()); });
}

ssize_t read_all_at(int fd, std::span<std::byte> out, std::uint64_t offset) {
    return all_of(out, [=](std::span<std::byte> rest, std::size_t done) {
        return ::pread(fd, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    });
}

bool read_to_end(int fd, std::string& text) {
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t n = retry_interrupted([&] { return ::read(fd, buffer.data(), buffer.size()); });
        if (n <= 0)
            return n == 0;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

}  // namespace trainyard
