// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/control_channel.h"

#include <atomic>
#include <cerrno>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/process_memory.h"
#include "base/system_call.h"
#include "worker/log.h"

namespace trainyard::worker {

namespace {

constexpr int kHeartbeatMilliseconds = 500;

}  // namespace

struct ControlChannel::Impl {
    FileDescriptor fd;
    FileDescriptor wake_read, wake_write;
    std::function<Heartbeat()> heartbeat;
    std::mutex send_mutex;
    std::mutex memory_mutex;
    ProcessMemory memory{::getpid()};
    std::mutex request_mutex;
    std::vector<run::Request> requests;
    std::string received;
    std::thread thread;

    void send(const launch::RankMessage& message) {
        if (!fd)
            return;
        std::string line = launch::rank_message_line(message) + "\n";
        std::lock_guard lock(send_mutex);
        send_all(fd.get(), line);  // after an error the thread sees the end of the stream and ends the process
    }

    void send_heartbeat() {
        Heartbeat now = heartbeat();
        {
            const std::lock_guard lock(memory_mutex);
            now.resident_bytes = memory.bytes();
        }
        send(now);
    }

    void take_line(const std::string& line) {
        try {
            if (std::optional<run::Request> request = launch::request_in(line)) {
                std::lock_guard lock(request_mutex);
                requests.push_back(std::move(*request));
            }
        } catch (const std::exception& error) {
            log_warning(std::string("a message of the supervisor cannot be read: ") + error.what());
        }
    }

    void receive() {
        char buffer[4096];
        ssize_t n = retry_interrupted([&] { return ::recv(fd.get(), buffer, sizeof buffer, 0); });
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            log_error("the supervisor is gone: this rank ends");
            ::_exit(kExitFailed);
        }
        received.append(buffer, static_cast<std::size_t>(n));
        std::size_t end;
        while ((end = received.find('\n')) != std::string::npos) {
            take_line(received.substr(0, end));
            received.erase(0, end + 1);
        }
    }

    void loop() {
        for (;;) {
            send_heartbeat();
            pollfd watched[2] = {{fd.get(), POLLIN, 0}, {wake_read.get(), POLLIN, 0}};
            int ready = ::poll(watched, 2, kHeartbeatMilliseconds);
            if (ready > 0 && watched[1].revents != 0)
                return;
            if (ready > 0 && watched[0].revents != 0)
                receive();
        }
    }
};

ControlChannel::ControlChannel(int fd, std::function<Heartbeat()> heartbeat) : impl_(std::make_unique<Impl>()) {
    impl_->heartbeat = std::move(heartbeat);
    if (fd < 0)
        return;
    impl_->fd = FileDescriptor(fd);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UserError("no file descriptors are left: raise `ulimit -n`");
    impl_->wake_read = FileDescriptor(ends[0]);
    impl_->wake_write = FileDescriptor(ends[1]);
    impl_->thread = std::thread([this] { impl_->loop(); });
}

ControlChannel::~ControlChannel() {
    impl_->wake_write.close();
    if (impl_->thread.joinable())
        impl_->thread.join();
}

void ControlChannel::send_progress(const launch::ProgressReport& progress) {
    impl_->send(progress);
}

void ControlChannel::send_event(const run::Event& event) {
    impl_->send(launch::EventReport{event});
}

void ControlChannel::send_stopping(const Message& reason) {
    impl_->send(launch::StoppingReport{reason});
}

void ControlChannel::send_outcome(const std::string& id, const std::string& outcome, const Message& text) {
    impl_->send(launch::RequestOutcome{id, outcome, text});
}

void ControlChannel::send_failure(const Message& message, const Heartbeat& where, bool secondary, bool out_of_memory) {
    impl_->send(launch::FailureReport{message, where.step, where.phase, where.collective, secondary, out_of_memory});
}

void ControlChannel::send_heartbeat() {
    impl_->send_heartbeat();
}

std::vector<run::Request> ControlChannel::take_requests() {
    std::lock_guard lock(impl_->request_mutex);
    return std::exchange(impl_->requests, {});
}

}  // namespace trainyard::worker
