// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A long line: passes on the bytes of one or more connections to a server, each way so many seconds later, as many at once as come.

#include <atomic>
#include <cerrno>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard::test {

class DelayingRelay {
  public:
    /// `delay_s`: each way. To `address`:`port`, from a loopback address.
    DelayingRelay(const std::string& address, int port, double delay_s) : delay_(delay_s) {
        to_.sin_family = AF_INET;
        to_.sin_port = htons(static_cast<std::uint16_t>(port));
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_in own{};
        own.sin_family = AF_INET;
        own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof own;
        if (::inet_pton(AF_INET, address.c_str(), &to_.sin_addr) != 1 ||
            ::bind(listener_, reinterpret_cast<sockaddr*>(&own), size) != 0 || ::listen(listener_, 8) != 0 ||
            ::getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size) != 0)
            throw std::runtime_error("no loopback socket for the relay");
        port_ = ntohs(own.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    ~DelayingRelay() {
        stop_ = true;
        thread_.join();
        ::close(listener_);
    }
    DelayingRelay(const DelayingRelay&) = delete;
    DelayingRelay& operator=(const DelayingRelay&) = delete;
    int port() const { return port_; }

  private:
    struct Piece {
        double due = 0;
        std::string bytes;
    };
    /// Bytes from one socket to another.
    struct Way {
        int from = -1, to = -1;
        std::deque<Piece> pieces = {};
        bool over = false;
    };

    static void set_up(int fd) {
        const int yes = 1;
        ::fcntl(fd, F_SETFL, O_NONBLOCK);
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }

    void run() {
        std::deque<Way> ways;
        std::vector<char> buffer(1u << 18);
        while (!stop_) {
            std::vector<pollfd> events{{listener_, POLLIN, 0}};
            double wait = 0.05;
            const double now = monotonic_seconds();
            for (const Way& way : ways) {
                events.push_back({way.from, static_cast<short>(way.over ? 0 : POLLIN), 0});
                if (!way.pieces.empty())
                    wait = std::min(wait, std::max(0.0, way.pieces.front().due - now));
            }
            const timespec time{0, static_cast<long>(wait * 1e9)};
            ::ppoll(events.data(), events.size(), &time, nullptr);
            if (const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); client >= 0) {
                const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
                if (::connect(server, reinterpret_cast<const sockaddr*>(&to_), sizeof to_) == 0) {
                    set_up(client);
                    set_up(server);
                    ways.push_back({.from = client, .to = server});
                    ways.push_back({.from = server, .to = client});
                } else {
                    ::close(client);
                    ::close(server);
                }
            }
            for (Way& way : ways)
                pass(way, buffer);
            // Both ways of a connection end together.
            for (std::size_t i = 0; i + 1 < ways.size();) {
                if (!ways[i].over && !ways[i + 1].over) {
                    i += 2;
                    continue;
                }
                if (!ways[i].pieces.empty() || !ways[i + 1].pieces.empty()) {
                    i += 2;
                    continue;
                }
                ::close(ways[i].from);
                ::close(ways[i].to);
                ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(i),
                           ways.begin() + static_cast<std::ptrdiff_t>(i) + 2);
            }
        }
        for (std::size_t i = 0; i + 1 < ways.size(); i += 2) {
            ::close(ways[i].from);
            ::close(ways[i].to);
        }
    }

    void pass(Way& way, std::vector<char>& buffer) const {
        while (!way.over) {
            const ssize_t got = ::recv(way.from, buffer.data(), buffer.size(), 0);
            if (got > 0) {
                way.pieces.push_back(
                    {monotonic_seconds() + delay_, std::string(buffer.data(), static_cast<std::size_t>(got))});
            } else {
                way.over = got == 0 || (errno != EAGAIN && errno != EINTR);
                break;
            }
        }
        while (!way.pieces.empty() && way.pieces.front().due <= monotonic_seconds()) {
            std::string& bytes = way.pieces.front().bytes;
            const ssize_t sent = ::send(way.to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && (errno == EAGAIN || errno == EINTR))
                return;
            if (sent < 0) {
                way.pieces.clear();
                way.over = true;
                return;
            }
            bytes.erase(0, static_cast<std::size_t>(sent));
            if (!bytes.empty())
                return;
            way.pieces.pop_front();
        }
    }

    double delay_;
    sockaddr_in to_{};
    int listener_ = -1, port_ = 0;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

}  // namespace trainyard::test
