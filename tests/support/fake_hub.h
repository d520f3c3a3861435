// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A hub on an address of this machine as Hugging Face's: listings, small files directly, large ones by redirects to
// another server, and the faults of networks and servers.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/sha256.h"

namespace trainyard::test {

class FakeHub {
  public:
    struct Request {
        bool cdn = false;
        std::string method, path, range, authorization;
    };
    /// How a path is answered instead, `times` times.
    struct Fault {
        int times = 1;
        int status = 0;             ///< 0: as usual
        std::string headers = {};   ///< of that status, each with its line end
        std::size_t cut_after = 0;  ///< bytes of the body, then the connection is closed; 0: whole
        int pause_ms = 0;           ///< after each 64 KiB
        bool corrupt = false;       ///< the last byte is changed
    };

    explicit FakeHub(std::string host = "127.0.0.1") : host_(std::move(host)) {
        for (Server& server : servers_) {
            server.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            sockaddr_in address{};
            address.sin_family = AF_INET;
            if (::inet_pton(AF_INET, host_.c_str(), &address.sin_addr) != 1)
                std::abort();
            socklen_t size = sizeof address;
            if (::bind(server.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
                ::listen(server.socket, 64) != 0 ||
                ::getsockname(server.socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
                std::abort();
            server.port = ntohs(address.sin_port);
            server.thread = std::thread([this, &server] { serve(server); });
        }
    }
    ~FakeHub() {
        ending_ = true;
        for (Server& server : servers_)
            server.thread.join();
        {  // a client may keep a connection open without a request
            const std::lock_guard lock(threads_);
            for (const int client : clients_)
                ::shutdown(client, SHUT_RDWR);
        }
        for (std::thread& each : connections_)
            each.join();
        for (const Server& server : servers_)
            ::close(server.socket);
    }
    FakeHub(const FakeHub&) = delete;
    FakeHub& operator=(const FakeHub&) = delete;

    std::string address() const { return fmt::format("http://{}:{}", host_, servers_[0].port); }

    /// A file of "org/name", or of "datasets/org/name". `large`: by a redirect to the other server.
    void put(const std::string& repo, const std::string& name, std::string content, bool large = false) {
        const std::lock_guard lock(mutex_);
        File& file = repos_[repo][name];
        file = {std::move(content), large, {}};
        file.etag = etag_of(file.content, large);
    }
    /// The same files under another revision.
    void put_revision(const std::string& repo, const std::string& revision, const std::string& name,
                      std::string content) {
        put(repo + "@" + revision, name, std::move(content));
    }
    /// A new commit of the branch; files that are not put again stay.
    void commit(const std::string& repo) {
        const std::lock_guard lock(mutex_);
        ++commits_[repo];
    }
    std::string commit_of(const std::string& repo) {
        const std::lock_guard lock(mutex_);
        return commit_name(repo);
    }
    /// Only with this token are files given.
    void gate(const std::string& repo, const std::string& token) {
        const std::lock_guard lock(mutex_);
        gates_[repo] = token;
    }
    void say_size(const std::string& name, std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        sizes_[name] = bytes;
    }
    /// For paths that contain a text: a status in answer to everything, other faults to GET.
    void fail(const std::string& part_of_path, Fault fault) {
        const std::lock_guard lock(mutex_);
        faults_.emplace_back(part_of_path, std::move(fault));
    }
    std::vector<Request> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    void forget_requests() {
        const std::lock_guard lock(mutex_);
        requests_.clear();
        sent_.clear();
    }
    /// Bytes of bodies that were sent for a file.
    std::size_t sent(const std::string& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = sent_.find(name);
        return found == sent_.end() ? 0 : found->second;
    }
    static std::string etag_of(const std::string& content, bool large) {
        if (large)
            return sha256(std::as_bytes(std::span(content)));
        const std::string blob = fmt::format("blob {}", content.size()) + '\0' + content;
        unsigned char bytes[EVP_MAX_MD_SIZE];
        unsigned size = 0;
        ::EVP_Digest(blob.data(), blob.size(), bytes, &size, ::EVP_sha1(), nullptr);
        std::string hex;
        for (unsigned i = 0; i < size; ++i)
            hex += fmt::format("{:02x}", bytes[i]);
        return hex;
    }

  private:
    struct File {
        std::string content;
        bool large = false;
        std::string etag;
    };
    struct Server {
        int socket = -1, port = 0;
        std::thread thread = {};
    };
    struct Answer {
        std::string head = "HTTP/1.1 200 OK\r\n", body = {}, file = {};
        Fault fault = {};
    };

    static std::string header(const std::string& text, const std::string& name) {
        const std::size_t at = text.find("\r\n" + name + ": ");
        return at == std::string::npos
                   ? std::string()
                   : text.substr(at + name.size() + 4, text.find("\r\n", at + 2) - at - name.size() - 4);
    }
    static std::string decoded(const std::string& text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '%') {
                out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else {
                out += text[i];
            }
        return out;
    }
    std::string commit_name(const std::string& repo) {
        const std::string text = repo + fmt::format("{}", commits_[repo]);
        return sha256(std::as_bytes(std::span(text))).substr(0, 40);
    }
    void serve(Server& server) {
        while (!ending_) {
            pollfd ready{server.socket, POLLIN, 0};
            if (::poll(&ready, 1, 20) <= 0)
                continue;
            const int client = ::accept4(server.socket, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0)
                continue;
            const std::lock_guard lock(threads_);
            clients_.insert(client);
            connections_.emplace_back([this, client, cdn = &server == &servers_[1]] {
                std::string text;
                char bytes[4096];
                for (ssize_t n;
                     text.find("\r\n\r\n") == std::string::npos && (n = ::read(client, bytes, sizeof bytes)) > 0;)
                    text.append(bytes, static_cast<std::size_t>(n));
                if (!text.empty())
                    answer(client, cdn, text);
                const std::lock_guard ended(threads_);
                clients_.erase(client);
                ::close(client);
            });
        }
    }
    void answer(int client, bool cdn, const std::string& text) {
        const std::string method = text.substr(0, text.find(' '));
        const std::string path =
            decoded(text.substr(method.size() + 1, text.find(' ', method.size() + 1) - method.size() - 1));
        const Request request{cdn, method, path, header(text, "Range"), header(text, "Authorization")};
        Answer answer;
        {
            const std::lock_guard lock(mutex_);
            requests_.push_back(request);
            for (auto& [part, fault] : faults_)
                if (fault.times > 0 && path.find(part) != std::string::npos && (fault.status != 0 || method == "GET")) {
                    --fault.times;
                    answer.fault = fault;
                    break;
                }
            if (answer.fault.status != 0)
                answer.head = fmt::format("HTTP/1.1 {} Fault\r\n{}", answer.fault.status, answer.fault.headers);
            else if (cdn)
                send_content(answer, path, request.range);
            else
                of_hub(answer, path, request);
        }
        if (answer.fault.corrupt && !answer.body.empty())
            answer.body.back() ^= 1;
        if (answer.head.find("Content-Length") == std::string::npos)
            answer.head += fmt::format("Content-Length: {}\r\n", answer.body.size());
        answer.head += "Connection: close\r\n\r\n";
        if (method == "HEAD")
            answer.body.clear();
        if (answer.fault.cut_after > 0)
            answer.body.resize(std::min(answer.body.size(), answer.fault.cut_after));
        send(client, answer);
    }
    void send(int client, const Answer& answer) {
        const std::string all = answer.head + answer.body;
        std::size_t at = 0;
        constexpr std::size_t kPiece = 64u << 10;
        while (at < all.size() && !ending_) {
            const std::size_t piece = answer.fault.pause_ms > 0 ? std::min(kPiece, all.size() - at) : all.size() - at;
            const ssize_t n = ::send(client, all.data() + at, piece, MSG_NOSIGNAL);
            if (n <= 0)
                break;
            at += static_cast<std::size_t>(n);
            if (answer.fault.pause_ms > 0)
                ::usleep(static_cast<useconds_t>(answer.fault.pause_ms) * 1000);
        }
        const std::lock_guard lock(mutex_);
        sent_[answer.file] += at - std::min(at, answer.head.size());
    }
    /// Contents by their hashes, with ranges.
    void send_content(Answer& answer, const std::string& path, const std::string& range) {
        for (const auto& [repo, files] : repos_)
            for (const auto& [name, file] : files)
                if (path == "/" + file.etag)
                    return send_file(answer, name, file, range);
        answer.head = "HTTP/1.1 404 Not Found\r\n";
    }
    static void send_file(Answer& answer, const std::string& name, const File& file, const std::string& range) {
        answer.file = name;
        answer.body = file.content;
        std::size_t begin = 0;
        if (std::sscanf(range.c_str(), "bytes=%zu-", &begin) == 1 && begin < file.content.size()) {
            answer.body = file.content.substr(begin);
            answer.head = fmt::format("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {}-{}/{}\r\n", begin,
                                      file.content.size() - 1, file.content.size());
        }
    }
    void refuse(Answer& answer, int status, const char* code) {
        answer.head = fmt::format("HTTP/1.1 {} Refused\r\nX-Error-Code: {}\r\n", status, code);
    }
    void of_hub(Answer& answer, const std::string& path, const Request& request) {
        for (const auto& [repo, files] : repos_) {
            const std::size_t at = repo.find('@');
            const std::string name = repo.substr(0, at), revision = at == repo.npos ? "main" : repo.substr(at + 1);
            const std::string commit = commit_name(repo);
            const std::string api = "/api/" + (name.starts_with("datasets/") ? name : "models/" + name) + "/revision/";
            const auto gate = gates_.find(name);
            const bool closed = gate != gates_.end() && request.authorization != "Bearer " + gate->second;
            if (path == api + revision || path == api + commit) {
                answer.head = "HTTP/1.1 200 OK\r\n";
                answer.body = fmt::format(R"({{"id": "{}", "sha": "{}", "siblings": [)", name, commit);
                for (auto file = files.begin(); file != files.end(); ++file)
                    answer.body +=
                        fmt::format(R"({}{{"rfilename": "{}"}})", file == files.begin() ? "" : ", ", file->first);
                answer.body += "]}";
                return;
            }
            for (const std::string& each : {revision, commit})
                if (const std::string start = "/" + name + "/resolve/" + each + "/"; path.starts_with(start)) {
                    const auto file = files.find(path.substr(start.size()));
                    if (file == files.end())
                        return refuse(answer, 404, "EntryNotFound");
                    if (closed)
                        return refuse(answer, request.authorization.empty() ? 401 : 403, "GatedRepo");
                    answer.head = "HTTP/1.1 200 OK\r\n";
                    answer_file(answer, commit, *file, request);
                    return;
                }
            if (path.starts_with(api) && at == repo.npos)
                refuse(answer, 404, "RevisionNotFound");
        }
        if (answer.head.find("X-Error-Code") == std::string::npos)
            refuse(answer, request.authorization.empty() ? 401 : 404, "RepoNotFound");
    }
    void answer_file(Answer& answer, const std::string& commit, const std::pair<const std::string, File>& file,
                     const Request& request) {
        const auto& [name, content] = file;
        const std::string& etag = content.etag;
        const auto other = sizes_.find(name);
        const std::uint64_t size = other == sizes_.end() ? content.content.size() : other->second;
        if (content.large) {
            answer.head = fmt::format(
                "HTTP/1.1 302 Found\r\nLocation: http://{}:{}/{}\r\nX-Linked-Etag: \"{}\"\r\n"
                "X-Linked-Size: {}\r\nX-Repo-Commit: {}\r\n",
                host_, servers_[1].port, etag, etag, size, commit);
            return;
        }
        send_file(answer, name, content, request.range);
        answer.head += fmt::format("ETag: \"{}\"\r\nX-Repo-Commit: {}\r\n", etag, commit);
    }

    std::string host_;
    Server servers_[2];
    mutable std::mutex mutex_;
    std::mutex threads_;
    std::atomic<bool> ending_ = false;
    std::map<std::string, std::map<std::string, File>> repos_;
    std::map<std::string, int> commits_;
    std::map<std::string, std::string> gates_;
    std::map<std::string, std::uint64_t> sizes_;
    std::vector<std::pair<std::string, Fault>> faults_;
    std::vector<Request> requests_;
    std::map<std::string, std::size_t> sent_;
    std::list<std::thread> connections_;
    std::set<int> clients_;  ///< open connections
};

}  // namespace trainyard::test
