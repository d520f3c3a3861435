// SPDX-License-Identifier: GPL-3.0-or-later
// serve_run: the server side of run_stream.h, on the host.

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "remote/run_stream.h"
#include "remote/stream_messages.h"
#include "run/request.h"
#include "run/state.h"

namespace trainyard::remote {

namespace {

constexpr double kShortestLook = 0.1;  ///< seconds between two scans of all files
constexpr std::size_t kLargestWhole = 7u << 20;

/// The client disconnected: ends the program, without an error.
struct ClientGone {};

struct FileMark {
    std::string id;  ///< stable across renames, different for a file that replaces another
    std::uint64_t size = 0;
    std::int64_t changed = 0;  ///< nanoseconds
};

std::optional<FileMark> mark_of(const fs::path& file) {
    struct statx info {};
    if (::statx(AT_FDCWD, file.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0 || !S_ISREG(info.stx_mode))
        return std::nullopt;
    // Inode numbers are reused immediately; the creation time distinguishes such files if the file system stores it.
    std::string id = std::to_string(info.stx_ino);
    if ((info.stx_mask & STATX_BTIME) != 0)
        id += ':' + std::to_string(info.stx_btime.tv_sec) + '.' + std::to_string(info.stx_btime.tv_nsec);
    return FileMark{id, info.stx_size, info.stx_mtime.tv_sec * 1'000'000'000 + info.stx_mtime.tv_nsec};
}

/// Standard output, which may be slow, and standard input, polled together so that neither blocks the other.
class Ends {
  public:
    Ends(int in, int out, double silence) : in_(in), out_(out), silence_(silence), heard_(monotonic_seconds()) {
        flags_ = ::fcntl(out_, F_GETFL);
        ::fcntl(out_, F_SETFL, flags_ | O_NONBLOCK);
    }
    ~Ends() { ::fcntl(out_, F_SETFL, flags_); }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    void send(StreamFrame kind, std::string_view payload) {
        std::string bytes = frame_bytes(kind, payload);
        std::string_view rest = bytes;
        while (!rest.empty()) {
            const ssize_t n = retry_interrupted([&] { return ::write(out_, rest.data(), rest.size()); });
            if (n > 0)
                rest.remove_prefix(static_cast<std::size_t>(n));
            else if (errno == EAGAIN || errno == EWOULDBLOCK)
                wait(1, -1, true);
            else
                throw ClientGone();
        }
    }

    /// Waits until the client sends something, `wake` is readable or the time has elapsed.
    void wait(double seconds, int wake, bool for_writing = false) {
        pollfd waits[3] = {{in_, POLLIN, 0}, {wake, POLLIN, 0}, {for_writing ? out_ : -1, POLLOUT, 0}};
        if (::poll(waits, 3, static_cast<int>(seconds * 1000)) < 0 && errno != EINTR)
            throw ClientGone();
        if (waits[0].revents != 0)
            take();
        if (monotonic_seconds() - heard_ > silence_)
            throw ClientGone();
    }
    std::optional<StreamMessage> next() { return reader_.next(); }

  private:
    void take() {
        std::array<char, 1 << 16> buffer;
        const ssize_t n = retry_interrupted([&] { return ::read(in_, buffer.data(), buffer.size()); });
        if (n == 0 || (n < 0 && errno != EAGAIN))
            throw ClientGone();
        if (n < 0)
            return;
        reader_.feed({buffer.data(), static_cast<std::size_t>(n)});
        heard_ = monotonic_seconds();
    }

    int in_, out_, flags_ = 0;
    double silence_, heard_;
    StreamReader reader_;
};

class Server {
  public:
    Server(const run::RunPaths& run, int in, int out, const ServeOptions& options)
        : run_(run),
          options_(options),
          ends_(in, out, options.silence_s),
          inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

    void serve() {
        greet();
        bool complete = false, over = false;
        for (;;) {
            take_messages();
            look();
            send_whole(false);
            bool more = send_growing();
            if (!more)
                send_whole(true);
            say_alive();
            if (!more && !complete) {
                ends_.send(StreamFrame::complete, "{}");
                complete = true;
            }
            // Scan once more after the end was seen: the last data may have been written in between.
            if (!more && is_over_ && over) {
                ends_.send(StreamFrame::over, "{}");
                return;
            }
            over = !more && is_over_;
            ends_.wait(more || over ? 0 : options_.look_every_s, inotify_.get());
            drain_inotify();
        }
    }

    void refuse(const Message& sentence) {
        ends_.send(StreamFrame::problem, fields::to_text(ProblemMessage{sentence}));
    }

  private:
    struct Growing {
        FileMark mark;
        std::uint64_t sent = 0;
    };

    fs::path full(const std::string& path) const { return run_.root() / path; }

    void greet() {
        ends_.send(StreamFrame::hello, fields::to_text(HelloMessage{kStreamVersion, run_.id(), run_.root().string(),
                                                                    host_name(), wall_seconds()}));
        while (!greeted_) {
            ends_.wait(1, -1);
            take_messages();
        }
    }

    void take_messages() {
        ends_.wait(0, -1);
        while (auto message = ends_.next()) {
            if (message->kind == StreamFrame::have)
                take_have(message->payload);
            else if (message->kind == StreamFrame::request)
                take_request(message->payload);
        }
    }

    void take_have(const std::string& payload) {
        const auto have = fields::from_text<HaveMessage>(payload, "what the mirror has");
        for (const GrowingFile& one : have.growing) {
            if (!is_mirrored(one.path) || !is_growing(one.path))
                continue;
            unchecked_[one.path] = one.sum;
            growing_[one.path] = {{one.id, one.size, 0}, one.size};
        }
        for (const WholeFile& one : have.whole)
            whole_sums_[one.path] = one.sum;
        greeted_ = true;
    }

    void take_request(const std::string& payload) {
        const auto [name, content] = fields::from_text<RequestMessage>(payload, "a request of the mirror");
        bool proper = name.size() > 5 && name.size() < 100 && name.ends_with(".json") &&
                      name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") ==
                          std::string::npos &&
                      !name.starts_with('.');
        if (!proper)
            return;
        std::string done = "requests/done/" + name;
        std::error_code error;
        if (fs::exists(full(done), error)) {
            whole_.erase(done);  // the reply was lost: send it again
            whole_sums_.erase(done);
        } else if (!fs::exists(run_.requests() / name, error)) {
            write_file_atomically(run_.requests() / name, content, false);
        }
    }

    void drain_inotify() {
        std::array<char, 1 << 14> buffer;
        while (::read(inotify_.get(), buffer.data(), buffer.size()) > 0)
            woken_ = true;
    }

    void watch(const fs::path& folder) {
        if (watched_.insert(folder.string()).second &&
            ::inotify_add_watch(inotify_.get(), folder.c_str(),
                                IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) < 0)
            watched_.erase(folder.string());
    }

    void find_files(const fs::path& folder, std::map<std::string, FileMark>& found) {
        watch(folder);
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
            fs::path path = entry->path().lexically_relative(run_.root());
            std::error_code ignored;
            if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
                bool skipped = path == "traces" || path.filename().string().starts_with('.');
                if (!skipped)
                    find_files(entry->path(), found);
            } else if (is_mirrored(path)) {
                if (auto mark = mark_of(entry->path()))
                    found[path.string()] = *mark;
            }
        }
    }

    void look() {
        double now = monotonic_seconds();
        bool due = now - looked_ >= options_.look_every_s || (woken_ && now - looked_ >= kShortestLook) || is_over_;
        if (!due && looked_ > 0)
            return;
        looked_ = now;
        woken_ = false;
        std::map<std::string, FileMark> found;
        find_files(run_.root(), found);
        if (!found.contains("run.yaml") && !found.contains("state.json")) {
            // A missing folder (or file system) must not empty the mirror.
            refuse(Message("the run's folder {} is gone from {}", run_.root().string(), host_name()));
            throw ClientGone();
        }
        for (const auto& [path, sum] : whole_sums_)
            if (whole_.empty() && is_mirrored(path) && !found.contains(path))
                ends_.send(StreamFrame::gone, fields::to_text(PathMessage{path}));
        follow_moves(found);
        for (auto& [path, mark] : found)
            if (is_growing(path))
                take_growing(path, mark);
            else if (auto known = whole_.find(path); known == whole_.end() || known->second.id != mark.id ||
                                                     known->second.changed != mark.changed ||
                                                     known->second.size != mark.size)
                changed_.insert(path);
        std::erase_if(growing_, [&](const auto& entry) { return is_gone(entry.first, found); });
        std::erase_if(whole_, [&](const auto& entry) { return is_gone(entry.first, found); });
    }

    bool is_gone(const std::string& path, const std::map<std::string, FileMark>& found) {
        if (found.contains(path))
            return false;
        ends_.send(StreamFrame::gone, fields::to_text(PathMessage{path}));
        return true;
    }

    /// Renamed files (rotated logs) continue at their offset. A move whose target is about to move itself waits for
    /// that move.
    void follow_moves(const std::map<std::string, FileMark>& found) {
        std::map<std::string, std::string> moves;  // from -> to
        for (const auto& [path, mark] : found) {
            if (!is_growing(path))
                continue;
            auto here = growing_.find(path);
            if (here != growing_.end() && here->second.mark.id == mark.id)
                continue;
            for (const auto& [old_path, known] : growing_) {
                auto still = found.find(old_path);
                bool left = still == found.end() || still->second.id != known.mark.id;
                if (known.mark.id == mark.id && left && mark.size >= known.sent)
                    moves[old_path] = path;
            }
        }
        while (!moves.empty()) {
            auto next = std::ranges::find_if(moves, [&](const auto& move) { return !moves.contains(move.second); });
            if (next == moves.end())
                return;  // a cycle: these files are sent again from the start
            const auto& [from, to] = *next;
            ends_.send(StreamFrame::moved, fields::to_text(MovedMessage{from, to}));
            growing_[to] = growing_[from];
            growing_.erase(from);
            unchecked_.erase(to);
            if (auto sum = unchecked_.extract(from)) {
                sum.key() = to;
                unchecked_.insert(std::move(sum));
            }
            moves.erase(next);
        }
    }

    void take_growing(const std::string& path, const FileMark& mark) {
        auto known = growing_.find(path);
        bool goes_on = known != growing_.end() && known->second.mark.id == mark.id && mark.size >= known->second.sent;
        if (auto sum = unchecked_.find(path); sum != unchecked_.end()) {
            goes_on = goes_on && tail_checksum(full(path), known->second.sent) == sum->second;
            unchecked_.erase(sum);
        }
        if (goes_on) {
            known->second.mark = mark;
            return;
        }
        ends_.send(StreamFrame::begin, fields::to_text(BeginMessage{path, mark.id}));
        growing_[path] = {mark, 0};
    }

    /// Sends growing files in turns, journal and metrics before logs. Returns true if there is more.
    bool send_growing() {
        bool more = false;
        for (bool logs : {false, true})
            for (auto& [path, file] : growing_)
                if (path.starts_with("logs/") == logs && file.sent < file.mark.size)
                    more = send_some(path, file) || more;
        return more;
    }

    bool send_some(const std::string& path, Growing& file) {
        const FileDescriptor descriptor = try_open_regular_file(full(path));
        struct stat opened {};
        // It may have been renamed since the scan; the next scan handles that.
        if (!descriptor || ::fstat(descriptor.get(), &opened) != 0 ||
            std::to_string(opened.st_ino) != file.mark.id.substr(0, file.mark.id.find(':')))
            return false;
        std::string piece(kPiece, '\0');
        std::uint64_t end = std::min(file.mark.size, file.sent + options_.round);
        while (file.sent < end) {
            ssize_t n = ::pread(descriptor.get(), piece.data(),
                                static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, end - file.sent)),
                                static_cast<off_t>(file.sent));
            if (n <= 0)
                return false;
            std::string payload = fields::to_text(BytesMessage{path, file.sent}) + '\n';
            payload.append(piece, 0, static_cast<std::size_t>(n));
            ends_.send(StreamFrame::bytes, payload);
            file.sent += static_cast<std::uint64_t>(n);
        }
        return file.sent < file.mark.size;
    }

    /// Files that report the end are sent last, so that a reader who sees them finds everything else.
    void send_whole(bool all_sent) {
        std::set<std::string> later;
        for (const std::string& path : changed_) {
            auto mark = mark_of(full(path));
            if (!mark || mark->size > kLargestWhole)
                continue;
            std::string content;
            try {
                content = read_regular_file(full(path), kLargestWhole);
            } catch (const UserError&) {
                continue;
            }
            if (path == "state.json" && !read_status(content) && !all_sent) {
                later.insert(path);
                continue;
            }
            whole_[path] = *mark;
            auto sum = whole_sums_.find(path);
            bool same = sum != whole_sums_.end() && sum->second == checksum(content);
            whole_sums_.erase(path);
            if (!same)
                ends_.send(StreamFrame::file, fields::to_text(PathMessage{path}) + '\n' + content);
        }
        changed_ = std::move(later);
    }

    /// Returns false if the run is over.
    bool read_status(const std::string& content) {
        try {
            state_ = run::parse_state(content);
            is_over_ = run::is_over(state_->status);
        } catch (const UserError&) {
        }
        return !is_over_;
    }

    void say_alive() {
        double now = monotonic_seconds();
        if (now - said_alive_ < options_.alive_every_s)
            return;
        said_alive_ = now;
        bool lost = state_ && run::is_lost(*state_, wall_seconds());
        ends_.send(StreamFrame::alive, fields::to_text(AliveMessage{wall_seconds(), lost}));
    }

    run::RunPaths run_;
    ServeOptions options_;
    Ends ends_;
    FileDescriptor inotify_;
    std::set<std::string> watched_;
    bool greeted_ = false;
    bool woken_ = false;
    double looked_ = 0;
    double said_alive_ = 0;
    std::map<std::string, Growing> growing_;
    std::map<std::string, std::uint64_t> unchecked_;   ///< of the mirror's files that are not compared yet
    std::map<std::string, FileMark> whole_;            ///< as last sent
    std::map<std::string, std::uint64_t> whole_sums_;  ///< of the mirror's files
    std::set<std::string> changed_;
    std::optional<run::RunState> state_;
    bool is_over_ = false;
};

}  // namespace

int serve_run(const run::RunPaths& run, int in, int out, const ServeOptions& options) {
    try {
        Server server(run, in, out, options);
        std::error_code error;
        if (!fs::exists(run.spec(), error) && !fs::exists(run.state(), error)) {
            server.refuse(Message("{} on {} is not a run's folder any more", run.root().string(), host_name()));
            return kExitUsage;
        }
        server.serve();
    } catch (const ClientGone&) {
    }
    return kExitDone;
}

}  // namespace trainyard::remote
