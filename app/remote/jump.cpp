// SPDX-License-Identifier: GPL-3.0-or-later
// A connection through a jump host (RFC 4254 7.2, direct-tcpip). A thread owns the connection to the jump host and
// moves bytes between its channel and one end of a socket pair. The caller uses the other end like a TCP socket.

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"
#include "remote/link.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kMostWaiting = 1u << 18;  // bytes buffered per direction

class Pump : public Carrier {
  public:
    Pump(std::unique_ptr<Link> link, ssh_channel channel, FileDescriptor end)
        : link_(std::move(link)), channel_(channel), end_(std::move(end)), stop_(std::make_shared<Cancel>()) {
        link_->cancel = stop_;
        thread_ = std::thread([this] { run(); });
    }
    ~Pump() override {
        stop_->set();
        thread_.join();
    }
    Message blame() override {
        std::lock_guard lock(mutex_);
        return blame_;
    }

  private:
    void run() {
        try {
            move_bytes();
        } catch (const ConnectionError& error) {
            if (error.cause() != Cause::cancelled) {
                std::lock_guard lock(mutex_);
                blame_ = error.message();
            }
        }
        // The peer sees the end of the stream.
        end_.close();
        ::ssh_channel_free(channel_);
        link_.reset();
    }

    void move_bytes() {
        std::string outwards, inwards;  // to the jump host; from it
        std::vector<char> buffer(1u << 16);
        bool end_open = true;
        while (true) {
            std::uint64_t packets_before = link_->packets();
            link_->look();
            bool moved = false;
            // From the channel to our end.
            while (inwards.size() < kMostWaiting) {
                int size = ::ssh_channel_read_nonblocking(channel_, buffer.data(),
                                                          static_cast<std::uint32_t>(buffer.size()), 0);
                if (size <= 0)
                    break;
                inwards.append(buffer.data(), static_cast<std::size_t>(size));
                moved = true;
            }
            if (!inwards.empty()) {
                const ssize_t size = retry_interrupted(
                    [&] { return ::send(end_.get(), inwards.data(), inwards.size(), MSG_NOSIGNAL | MSG_DONTWAIT); });
                if (size > 0) {
                    inwards.erase(0, static_cast<std::size_t>(size));
                    moved = true;
                } else if (errno != EAGAIN) {
                    return;  // the reader has closed its end
                }
            }
            if (inwards.empty() && (::ssh_channel_is_eof(channel_) != 0 || ::ssh_channel_is_closed(channel_) != 0))
                return;
            // From our end to the channel.
            if (end_open && outwards.size() < kMostWaiting) {
                const ssize_t size =
                    retry_interrupted([&] { return ::recv(end_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT); });
                if (size > 0) {
                    outwards.append(buffer.data(), static_cast<std::size_t>(size));
                    moved = true;
                } else if (size == 0) {
                    end_open = false;
                } else if (errno != EAGAIN) {
                    return;
                }
            }
            if (!outwards.empty()) {
                int size = ::ssh_channel_write(channel_, outwards.data(), static_cast<std::uint32_t>(outwards.size()));
                if (size < 0)
                    link_->lost(Message::verbatim(::ssh_get_error(link_->session)));
                outwards.erase(0, static_cast<std::size_t>(size));
                moved = moved || size > 0;
            }
            if (!end_open && outwards.empty())
                return;
            if (!moved && link_->packets() == packets_before)
                wait(inwards, outwards, end_open);
        }
    }

    void wait(const std::string& inwards, const std::string& outwards, bool end_open) {
        pollfd events[3] = {
            {link_->line.socket.get(), POLLIN, 0}, {end_.get(), 0, 0}, {stop_->descriptor(), POLLIN, 0}};
        if (::ssh_get_poll_flags(link_->session) & SSH_WRITE_PENDING)
            events[0].events |= POLLOUT;
        if (end_open && outwards.size() < kMostWaiting)
            events[1].events |= POLLIN;
        if (!inwards.empty())
            events[1].events |= POLLOUT;
        ::poll(events, 3, 500);
        if (events[2].revents != 0)
            link_->fail(Cause::cancelled, Message("cancelled"));
    }

    std::unique_ptr<Link> link_;
    ssh_channel channel_;
    FileDescriptor end_;
    std::shared_ptr<Cancel> stop_;
    std::mutex mutex_;
    Message blame_;
    std::thread thread_;
};

/// Throws the failure of a connection through a jump host. `why` tells which of jump host and target is the cause.
[[noreturn]] void throw_not_through(const Link& jump, const HostSettings& host, const std::string& why) {
    auto says = [&why](std::string_view text) { return why.find(text) != std::string::npos; };
    const std::string from = described(jump.host), where = described(host), command = "ssh -v " + host.alias;
    if (says("error (1)") || says("prohibited"))
        throw ConnectionError(Cause::jump_refused, jump.host.alias,
                              Message("{}: this jump host does not connect us to {}: its sshd_config has to "
                                      "allow TCP forwarding (AllowTcpForwarding, PermitOpen)",
                                      from, where),
                              command);
    if (says("refused"))
        throw ConnectionError(
            Cause::refused, host.alias,
            Message("{}: nothing listens on port {}, as seen from the jump host {}", where, host.port, from), command);
    if (says("timed out"))
        throw ConnectionError(Cause::timed_out, host.alias,
                              Message("{}: no answer, as seen from the jump host {}", where, from), command);
    if (says("route") || says("unreachable"))
        throw ConnectionError(Cause::no_route, host.alias,
                              Message("{}: no route to the host, as seen from the jump host {}", where, from), command);
    if (says("resolve") || says("Name or service") || says("Unknown host") || says("not known") ||
        says("name resolution"))
        throw ConnectionError(Cause::name_not_found, host.alias,
                              Message("{}: there is no address for the name '{}', as seen from the jump host {}", where,
                                      host.host_name, from),
                              command);
    throw ConnectionError(Cause::no_route, host.alias,
                          Message("{}: it cannot be reached, as seen from the jump host {}: {}", where, from, why),
                          command);
}

}  // namespace

Line dial_through(std::unique_ptr<Link> jump, const HostSettings& host, double seconds) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        jump->fail(Cause::bad_settings,
                   Message("{}: no socket for its jump host: {}", described(host), system_message(errno)));
    FileDescriptor ours(pair[0]), theirs(pair[1]);
    ssh_channel channel = ::ssh_channel_new(jump->session);
    if (channel == nullptr)
        throw std::bad_alloc();
    int opened = SSH_ERROR;
    try {
        opened = jump->repeat(
            [&] { return ::ssh_channel_open_forward(channel, host.host_name.c_str(), host.port, "127.0.0.1", 22); },
            SSH_AGAIN, seconds,
            Message("{}: no answer within {}, as seen from the jump host {}: is the host up?", described(host),
                    seconds_text(seconds), described(jump->host)));
    } catch (const ConnectionError& error) {
        if (error.cause() == Cause::timed_out)  // the target host did not answer, not the jump host
            throw ConnectionError(Cause::timed_out, host.alias, error.message(), error.command_to_try());
        throw;
    }
    if (opened != SSH_OK) {
        if (!jump->connected())
            jump->lost();
        std::string why = ::ssh_get_error(jump->session);
        throw_not_through(*jump, host, why);
    }
    Line line;
    line.socket = std::move(ours);
    line.carrier = std::make_unique<Pump>(std::move(jump), channel, std::move(theirs));
    return line;
}

}  // namespace trainyard::remote
