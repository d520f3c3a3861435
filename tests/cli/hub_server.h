// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A hub on 127.0.0.1: files by address, with ranges, and what it was asked for.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trainyard::test {

class HubServer {
  public:
    struct Request {
        std::string path, range, authorization;
    };

    HubServer() {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket_, 16) != 0 ||
            ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            std::abort();
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~HubServer() {
        ending_ = true;
        thread_.join();
        ::close(socket_);
    }
    HubServer(const HubServer&) = delete;
    HubServer& operator=(const HubServer&) = delete;

    std::string address(const std::string& host = "127.0.0.1") const {
        return fmt::format("http://{}:{}", host, port_);
    }
    void put(const std::string& path, std::string content) { files_[path] = std::move(content); }
    /// Points elsewhere, as a hub does for large files.
    void redirect(const std::string& path, const std::string& to) { elsewhere_[path] = to; }
    /// Answers to everything with this status; 0: as usual.
    void answer_with(int status) { status_ = status; }
    void ignore_ranges() { ranges_ = false; }
    std::vector<Request> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    /// Bytes of bodies that were sent.
    std::size_t sent() const { return sent_; }

  private:
    static std::string header(const std::string& text, const std::string& name) {
        const std::size_t at = text.find("\r\n" + name + ": ");
        return at == std::string::npos
                   ? std::string()
                   : text.substr(at + name.size() + 4, text.find("\r\n", at + 2) - at - name.size() - 4);
    }
    void serve() {
        while (!ending_) {
            pollfd ready{socket_, POLLIN, 0};
            if (::poll(&ready, 1, 20) <= 0)
                continue;
            const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
            std::string text;
            char bytes[4096];
            for (ssize_t n;
                 text.find("\r\n\r\n") == std::string::npos && (n = ::read(client, bytes, sizeof bytes)) > 0;)
                text.append(bytes, static_cast<std::size_t>(n));
            answer(client, text);
            ::close(client);
        }
    }
    void answer(int client, const std::string& text) {
        const std::string path = text.substr(4, text.find(' ', 4) - 4), range = header(text, "Range");
        {
            const std::lock_guard lock(mutex_);
            requests_.push_back({path, range, header(text, "Authorization")});
        }
        std::string head, body;
        const auto file = files_.find(path);
        if (status_ != 0) {
            head = fmt::format("HTTP/1.1 {} Other\r\n", status_.load());
        } else if (const auto other = elsewhere_.find(path); other != elsewhere_.end()) {
            head = fmt::format("HTTP/1.1 302 Found\r\nLocation: {}\r\n", other->second);
        } else if (file == files_.end()) {
            head = "HTTP/1.1 404 Not Found\r\n";
            body = "no such entry";
        } else if (ranges_ && !range.empty()) {
            std::size_t begin = 0, end = 0;
            if (std::sscanf(range.c_str(), "bytes=%zu-%zu", &begin, &end) != 2)
                std::abort();
            end = std::min(end + 1, file->second.size());
            body = file->second.substr(begin, end - begin);
            head = fmt::format("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\n", begin, end - 1,
                               file->second.size());
        } else {
            body = file->second;
            head = "HTTP/1.1 200 OK\r\n";
        }
        head += fmt::format("Content-Length: {}\r\nConnection: close\r\n\r\n", body.size());
        const std::string all = head + body;
        for (std::size_t at = 0; at < all.size();) {
            const ssize_t n = ::send(client, all.data() + at, all.size() - at, MSG_NOSIGNAL);
            if (n <= 0)
                break;
            at += static_cast<std::size_t>(n);
        }
        sent_ += body.size();
    }

    int socket_ = -1, port_ = 0;
    std::map<std::string, std::string> files_, elsewhere_;
    std::atomic<int> status_ = 0;
    std::atomic<bool> ranges_ = true, ending_ = false;
    std::atomic<std::size_t> sent_ = 0;
    mutable std::mutex mutex_;
    std::vector<Request> requests_;
    std::thread thread_;
};

}  // namespace trainyard::test
