// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/run_program.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/system_call.h"

extern char** environ;

namespace trainyard {

namespace {

struct Pipe {
    FileDescriptor read, write;
    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return false;
        read = FileDescriptor(ends[0]);
        write = FileDescriptor(ends[1]);
        return true;
    }
};

/// False at its end.
bool take(int fd, std::string& into) {
    char buffer[1 << 16];
    const ssize_t n = retry_interrupted([&] { return ::read(fd, buffer, sizeof buffer); });
    if (n > 0)
        into.append(buffer, static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EAGAIN);
}

pid_t spawn(const std::vector<std::string>& argv, int in, int out, int err) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (int number : {SIGPIPE, SIGINT, SIGTERM})
        sigaddset(&defaults, number);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    for (const std::string& word : argv)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = -1;
    if (::posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return pid;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& argv, std::string_view input, double seconds, int cancelled) {
    ProgramResult result;
    Pipe in, out, err;
    if (!in.open() || !out.open() || !err.open())
        return result;
    pid_t pid = spawn(argv, in.read.get(), out.write.get(), err.write.get());
    if (pid < 0)
        return result;
    in.read.close();
    out.write.close();
    err.write.close();
    ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
    // A program that does not read its input must not end this one.
    sigset_t pipe_signal, before;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    double until = monotonic_seconds() + seconds;
    bool stopped = false;
    while (!stopped && (out.read || err.read)) {
        if (input.empty())
            in.write.close();
        double left = until - monotonic_seconds();
        if (left <= 0) {
            result.timed_out = stopped = true;
            break;
        }
        pollfd waits[4] = {{out.read.get(), POLLIN, 0},
                           {err.read.get(), POLLIN, 0},
                           {in.write.get(), POLLOUT, 0},
                           {cancelled, POLLIN, 0}};
        if (::poll(waits, 4, static_cast<int>(left * 1000) + 1) < 0 && errno != EINTR)
            break;
        if (waits[0].revents != 0 && !take(out.read.get(), result.output))
            out.read.close();
        if (waits[1].revents != 0 && !take(err.read.get(), result.error))
            err.read.close();
        if (waits[2].revents != 0) {
            const ssize_t n = retry_interrupted([&] { return ::write(in.write.get(), input.data(), input.size()); });
            if (n > 0)
                input.remove_prefix(static_cast<std::size_t>(n));
            else if (errno != EAGAIN)
                input = {};
        }
        stopped = (waits[3].revents & POLLIN) != 0;
    }
    if (stopped)
        ::kill(-pid, SIGKILL);
    retry_interrupted([&] { return ::waitpid(pid, &result.status, 0); });
    timespec no_time{};
    while (::sigtimedwait(&pipe_signal, nullptr, &no_time) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return result;
}

}  // namespace trainyard
