// SPDX-License-Identifier: GPL-3.0-or-later
// follow_run: one connection of a mirror to its host.

#include <algorithm>
#include <array>
#include <set>

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/regular_file.h"
#include "remote/mirror.h"
#include "remote/stream_messages.h"
#include "run/mirror.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kLargestRequestSent = 1u << 20;  ///< bytes, as the host takes them
constexpr std::size_t kLongestSign = 64u << 10;          ///< bytes of what a host says of itself
constexpr double kLargestClockOffset = 1e9;              ///< seconds, thirty years
constexpr double kKeepEvery = 0.5;                       ///< seconds between two writings of mirror.json
constexpr double kLookForRequests = 0.25;                ///< seconds, where inotify is silent

class Follower {
  public:
    Follower(ByteLink& link, const run::RunPaths& local, const MirrorOptions& options, int stop)
        : link_(link),
          run_(local),
          options_(options),
          stop_(stop),
          folder_(local),
          inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
          wake_(::epoll_create1(EPOLL_CLOEXEC)) {
        ::inotify_add_watch(inotify_.get(), run_.requests().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
        epoll_event event{};
        event.events = EPOLLIN;
        ::epoll_ctl(wake_.get(), EPOLL_CTL_ADD, inotify_.get(), &event);
        if (stop_ >= 0) {
            event.data.fd = stop_;
            ::epoll_ctl(wake_.get(), EPOLL_CTL_ADD, stop_, &event);
        }
        mirror_ = run::read_mirror(run_).value_or(run::MirrorState{});
        mirror_.process = this_process();
    }

    MirrorOutcome follow() {
        MirrorOutcome outcome;
        try {
            write(StreamFrame::have, folder_.have());
            heard_ = monotonic_seconds();
            while (!over_) {
                if (stopped()) {
                    outcome.end = MirrorEnd::stopped;
                    break;
                }
                take(link_.read(kLookForRequests, wake_.get()));
                send_requests();
                say_alive();
                take_last_words();
                check_silence();
            }
            if (over_)
                outcome.end = MirrorEnd::over;
        } catch (const LimitReached& error) {
            outcome.end = MirrorEnd::refused;
            outcome.reason = error.message();
        } catch (const UserError& error) {
            outcome.reason = error.message();
        }
        outcome.greeted = greeted_;
        leave(outcome);
        return outcome;
    }

  private:
    bool stopped() {
        epoll_event event{};
        std::array<char, 1 << 12> buffer;
        while (::read(inotify_.get(), buffer.data(), buffer.size()) > 0) {
        }
        return stop_ >= 0 && ::epoll_wait(wake_.get(), &event, 1, 0) > 0 && event.data.fd == stop_;
    }

    /// A host that takes nothing more may have said its last words before: they are read first.
    void write(StreamFrame kind, std::string_view payload) {
        if (!broken_.empty())
            return;
        try {
            link_.write(frame_bytes(kind, payload));
        } catch (const UserError& error) {
            broken_ = error.message();
        }
    }

    void take_last_words() {
        if (broken_.empty())
            return;
        // A host may take nothing and talk without end.
        const double until = monotonic_seconds() + options_.silence_s;
        while (!over_ && !link_.ended() && monotonic_seconds() < until) {
            std::string bytes = link_.read(0, -1);
            if (bytes.empty())
                break;
            take(bytes);
        }
        if (!over_)
            throw UserError(broken_);
    }

    void take(const std::string& bytes) {
        reader_.feed(bytes);
        while (auto message = reader_.next()) {
            heard_ = monotonic_seconds();
            if (message->kind == StreamFrame::problem)
                throw UserError(sign_of<ProblemMessage>(*message).text);
            if (message->kind == StreamFrame::hello || message->kind == StreamFrame::alive)
                take_sign(*message);
            else if (message->kind == StreamFrame::over)
                over_ = true;
            else
                folder_.apply(*message);
        }
        if (bytes.empty() && link_.ended() && !over_)
            throw UserError("the connection ended");
    }

    template <typename Sign>
    static Sign sign_of(const StreamMessage& message) {
        if (message.payload.size() > kLongestSign)
            throw UserError("the host sent a message that is too long");
        return fields::from_text<Sign>(message.payload, "what the host said");
    }

    void take_sign(const StreamMessage& message) {
        const auto sign = sign_of<AliveMessage>(message);
        if (message.kind == StreamFrame::hello && sign_of<HelloMessage>(message).version != kStreamVersion)
            throw UserError("the host's Trainyard speaks another version: install the same version on both");
        greeted_ = true;
        double now = wall_seconds();
        mirror_.clock_offset = std::clamp(sign.time.value_or(now) - now, -kLargestClockOffset, kLargestClockOffset);
        mirror_.lost = sign.lost;
        mirror_.contact = now;
        mirror_.connected = true;
        mirror_.message = {};
        // A host may say that it lives as often as it likes.
        if (double clock = monotonic_seconds(); clock - kept_ >= kKeepEvery || message.kind == StreamFrame::hello) {
            kept_ = clock;
            keep();
        }
    }

    /// Those in requests/ until their answer has come; the host takes each once.
    void send_requests() {
        std::error_code error;
        for (fs::directory_iterator entry(run_.requests(), error), end; !error && entry != end;
             entry.increment(error)) {
            std::string name = entry->path().filename().string();
            std::error_code ignored;
            // A link in a received folder could lead to any file of this account.
            if (!name.ends_with(".json") || !fs::is_regular_file(entry->symlink_status(ignored)) ||
                sent_.contains(name))
                continue;
            try {
                write(StreamFrame::request,
                      fields::to_text(RequestMessage{name, read_regular_file(entry->path(), kLargestRequestSent)}));
                sent_.insert(name);
            } catch (const UserError&) {
                if (fs::exists(entry->path(), ignored))
                    throw;  // else it was answered meanwhile
            }
        }
    }

    void say_alive() {
        if (monotonic_seconds() - said_alive_ < options_.alive_every_s)
            return;
        said_alive_ = monotonic_seconds();
        write(StreamFrame::alive, "{}");
        std::error_code error;
        if (!fs::exists(run::mirror_file(run_), error))
            throw UserError("{} is gone", run_.root().string());
    }

    void check_silence() const {
        if (monotonic_seconds() - heard_ > options_.silence_s)
            throw UserError("nothing was heard for {} s", static_cast<int>(options_.silence_s));
    }

    void leave(const MirrorOutcome& outcome) {
        mirror_.connected = false;
        mirror_.message = outcome.reason;
        mirror_.complete = outcome.end == MirrorEnd::over;
        try {
            keep();
        } catch (const UserError&) {
            // The disk is full or the folder is gone: said in outcome.reason already.
        }
    }

    void keep() {
        std::error_code error;
        if (fs::is_directory(run_.root(), error))
            run::write_mirror(run_, mirror_);
    }

    ByteLink& link_;
    run::RunPaths run_;
    MirrorOptions options_;
    int stop_;
    MirrorFolder folder_;
    FileDescriptor inotify_;
    FileDescriptor wake_;
    StreamReader reader_;
    run::MirrorState mirror_;
    std::set<std::string> sent_;
    double heard_ = 0;
    double kept_ = 0;
    double said_alive_ = 0;
    Message broken_;  ///< why nothing can be written any more
    bool greeted_ = false;
    bool over_ = false;
};

}  // namespace

MirrorOutcome follow_run(ByteLink& link, const run::RunPaths& local, const MirrorOptions& options, int stop) {
    try {
        return Follower(link, local, options, stop).follow();
    } catch (const LimitReached& error) {
        return {MirrorEnd::refused, error.message(), false};
    } catch (const UserError& error) {
        return {MirrorEnd::lost, error.message(), false};
    }
}

}  // namespace trainyard::remote
