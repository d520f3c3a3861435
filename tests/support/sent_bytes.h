// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bytes that this process has sent through its open TCP connections, as the kernel counts them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace trainyard::test {

using SentBytes = std::map<std::string, std::uint64_t>;  ///< by socket

/// Bytes of data, without headers and what was sent again.
inline SentBytes sent_bytes() {
    SentBytes bytes;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        tcp_info info{};
        socklen_t size = sizeof info;
        if (::getsockopt(std::stoi(entry.path().filename()), IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
            bytes[std::filesystem::read_symlink(entry.path(), error)] = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    }
    return bytes;
}

/// Through the connections that are open now.
inline std::uint64_t sent_since(const SentBytes& before) {
    std::uint64_t bytes = 0;
    for (const auto& [socket, sent] : sent_bytes()) {
        const auto earlier = before.find(socket);
        bytes += sent - (earlier == before.end() ? 0 : earlier->second);
    }
    return bytes;
}

}  // namespace trainyard::test
