// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A web server on 127.0.0.1 for tests of clients: answers come from a function, and some requests fail instead.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

namespace trainyard::test {

class FakeService {
  public:
    struct Request {
        std::string method, path, body;              ///< path: with the query
        std::map<std::string, std::string> headers;  ///< names in lower case
    };
    struct Answer {
        int status = 200;
        std::string body = "{}";
        std::string headers = {};  ///< further ones, each with its line end
    };
    using Answers = std::function<Answer(const Request&)>;

    explicit FakeService(Answers answers) : answers_(std::move(answers)) {
        listen();
        thread_ = std::thread([this] { serve(); });
    }
    ~FakeService() { go_offline(); }
    FakeService(const FakeService&) = delete;
    FakeService& operator=(const FakeService&) = delete;

    std::string address() const { return fmt::format("http://127.0.0.1:{}", port_); }
    /// This share of the requests, drawn with a fixed seed, is answered with `status` without being seen.
    void fail(double share, int status = 500, std::string body = "made to fail") {
        const std::lock_guard lock(mutex_);
        share_ = share;
        failure_ = {status, std::move(body)};
    }
    /// Requests with a longer body are answered with 413, as web servers in front of trackers do. 0: none.
    void limit_bodies(std::size_t bytes) { longest_body_ = bytes; }
    int too_long() const { return too_long_; }
    /// Nothing listens at the address until go_online().
    void go_offline() {
        if (!thread_.joinable())
            return;
        ending_ = true;
        thread_.join();
        ::close(socket_);
    }
    void go_online() {
        ending_ = false;
        listen();
        thread_ = std::thread([this] { serve(); });
    }
    /// Whether requests that arrive wait for their answer until stall(false).
    void stall(bool stalls) { stalls_ = stalls; }
    /// Requests that were answered, and the number of those that failed.
    std::vector<Request> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    int failed() const { return failed_; }
    /// Processor time of the server's thread since it started.
    double processor_seconds() {
        clockid_t clock{};
        timespec time{};
        if (!thread_.joinable() || ::pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 ||
            ::clock_gettime(clock, &time) != 0)
            return 0;
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

  private:
    /// At any port; again at the same.
    void listen() {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port_));
        socklen_t size = sizeof address;
        const int yes = 1;
        if (::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
            ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket_, 64) != 0 ||
            ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            std::abort();
        port_ = ntohs(address.sin_port);
    }

    void serve() {
        while (!ending_) {
            pollfd ready{socket_, POLLIN, 0};
            if (::poll(&ready, 1, 20) <= 0)
                continue;
            const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0)
                continue;
            answer(client);
            ::close(client);
        }
    }

    void answer(int client) {
        std::string text;
        std::size_t head = std::string::npos, wanted = 0;
        Request request;
        for (char buffer[1 << 16]; head == std::string::npos || text.size() < head + 4 + wanted;) {
            pollfd ready{client, POLLIN, 0};
            while (::poll(&ready, 1, 20) == 0)
                if (ending_)
                    return;
            const ssize_t n = ::read(client, buffer, sizeof buffer);
            if (n <= 0)
                return;
            text.append(buffer, static_cast<std::size_t>(n));
            if (head == std::string::npos && (head = text.find("\r\n\r\n")) != std::string::npos) {
                read_head(text.substr(0, head), request);
                wanted = std::strtoul(request.headers["content-length"].c_str(), nullptr, 10);
            }
        }
        request.body = text.substr(head + 4, wanted);
        while (stalls_) {
            if (ending_)
                return;
            ::poll(nullptr, 0, 20);
        }
        Answer answer;
        bool fails = false;
        {
            const std::lock_guard lock(mutex_);
            fails = share_ > 0 && std::uniform_real_distribution<double>()(random_) < share_;
            if (fails) {
                answer = failure_;
                ++failed_;
            } else if (longest_body_ > 0 && request.body.size() > longest_body_) {
                fails = true;
                answer = {413, "<html>413 Request Entity Too Large</html>"};
                ++too_long_;
            } else {
                requests_.push_back(request);
            }
        }
        if (!fails)
            answer = answers_(request);
        const std::string reply = fmt::format("HTTP/1.1 {} Said\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n{}",
                                              answer.status, answer.body.size(), answer.headers, answer.body);
        for (std::size_t at = 0; at < reply.size();) {
            const ssize_t n = ::send(client, reply.data() + at, reply.size() - at, MSG_NOSIGNAL);
            if (n <= 0)
                return;
            at += static_cast<std::size_t>(n);
        }
    }

    static void read_head(const std::string& head, Request& request) {
        const std::size_t first = head.find(' '), second = head.find(' ', first + 1);
        request.method = head.substr(0, first);
        request.path = head.substr(first + 1, second - first - 1);
        for (std::size_t at = head.find("\r\n"); at != std::string::npos;) {
            const std::size_t end = head.find("\r\n", at + 2);
            const std::string line = head.substr(at + 2, end == std::string::npos ? end : end - at - 2);
            const std::size_t colon = line.find(": ");
            if (colon != std::string::npos) {
                std::string name = line.substr(0, colon);
                for (char& letter : name)
                    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
                request.headers[name] = line.substr(colon + 2);
            }
            at = end;
        }
    }

    Answers answers_;
    int socket_ = -1, port_ = 0;
    std::atomic<bool> ending_ = false, stalls_ = false;
    std::atomic<int> failed_ = 0, too_long_ = 0;
    std::atomic<std::size_t> longest_body_ = 0;
    mutable std::mutex mutex_;
    std::mt19937 random_{7};
    double share_ = 0;
    Answer failure_{500, "made to fail"};
    std::vector<Request> requests_;
    std::thread thread_;
};

}  // namespace trainyard::test
