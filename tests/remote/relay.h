// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stands between a client and an SSH server and reads what the client says while it can still be read (RFC 4253: packets are in the
// clear up to NEWKEYS).

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/hosts.h"

namespace trainyard::test {

/// A listening socket on a loopback address of its own choice.
class Listener {
  public:
    Listener() {
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_, 8) != 0 ||
            ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            throw std::runtime_error("no loopback socket");
        port_ = ntohs(address.sin_port);
    }
    ~Listener() { close(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    int fd() const { return fd_; }
    int port() const { return port_; }
    void close() {
        if (fd_ >= 0)
            ::close(fd_);
        fd_ = -1;
    }

  private:
    int fd_ = -1;
    int port_ = 0;
};

/// Takes one connection and passes it on to `address`:`port`.
class Relay {
  public:
    Relay(const std::string& address, int port) : thread_([this, address, port] { run(address, port); }) {}
    ~Relay() {
        stop_ = true;
        thread_.join();
    }
    int port() const { return listener_.port(); }
    /// Everything the client said; call it when the connection is over.
    std::string said() {
        while (!over_)
            ::usleep(1000);
        return said_;
    }
    /// Types of the client's packets in the clear, and the number of bytes after its NEWKEYS.
    struct Reading {
        std::vector<int> packets;
        std::size_t bytes_after = 0;
        bool has_new_keys = false;
    };
    Reading reading() {
        std::string bytes = said();
        Reading reading;
        std::size_t at = bytes.find("\r\n");
        at = at == std::string::npos ? bytes.size() : at + 2;
        while (at + 6 <= bytes.size() && !reading.has_new_keys) {
            std::size_t size = 0;
            for (std::size_t i = 0; i < 4; ++i)
                size = size << 8 | static_cast<unsigned char>(bytes[at + i]);
            int type = static_cast<unsigned char>(bytes[at + 5]);
            reading.packets.push_back(type);
            reading.has_new_keys = type == 21;
            at += 4 + size;
        }
        reading.bytes_after = bytes.size() - std::min(at, bytes.size());
        return reading;
    }

  private:
    void run(const std::string& address, int port) {
        int client = -1;
        while (!stop_ && client < 0) {
            pollfd event{listener_.fd(), POLLIN, 0};
            if (::poll(&event, 1, 50) > 0)
                client = ::accept(listener_.fd(), nullptr, nullptr);
        }
        int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        ::inet_pton(AF_INET, address.c_str(), &to.sin_addr);
        bool open = client >= 0 && ::connect(server, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
        while (open && !stop_) {
            pollfd events[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
            ::poll(events, 2, 50);
            for (int from = 0; from < 2 && open; ++from) {
                if (events[from].revents == 0)
                    continue;
                char buffer[16384];
                ssize_t size = ::recv(events[from].fd, buffer, sizeof buffer, 0);
                if (size > 0 && from == 0)
                    said_.append(buffer, static_cast<std::size_t>(size));
                open = size > 0 &&
                       ::send(events[1 - from].fd, buffer, static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
            }
        }
        ::close(server);
        if (client >= 0)
            ::close(client);
        over_ = true;
    }

    Listener listener_;
    std::atomic<bool> stop_ = false, over_ = false;
    std::string said_;
    std::thread thread_;
};

}  // namespace trainyard::test
