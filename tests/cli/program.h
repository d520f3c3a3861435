// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a program as a user does and keeps what it said.

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard::test {

struct Said {
    int code = -1;  ///< exit code, or -signal
    std::string out;
    std::string err;
};

/// A started program; killed by the destructor when it still runs. `prepare` runs in the child before exec.
class Program {
  public:
    explicit Program(std::vector<std::string> words, const std::function<void()>& prepare = nullptr) {
        int out[2], err[2];
        if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0)
            std::abort();
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
            ::dup2(out[1], STDOUT_FILENO);
            ::dup2(err[1], STDERR_FILENO);
            if (prepare)
                prepare();
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
        ::close(out[1]);
        ::close(err[1]);
        fds_[0] = out[0];
        fds_[1] = err[0];
    }
    ~Program() {
        if (!waited_) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        for (int fd : fds_)
            if (fd >= 0)
                ::close(fd);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    pid_t pid() const { return pid_; }
    const Said& said() const { return said_; }

    /// Reads until `done` holds of what was said so far, both streams end, or time is up.
    const Said& read_until(const std::function<bool(const Said&)>& done, double seconds = 60) {
        double deadline = monotonic_seconds() + seconds;
        while (!done(said_) && monotonic_seconds() < deadline && (fds_[0] >= 0 || fds_[1] >= 0)) {
            pollfd ready[2] = {{fds_[0], POLLIN, 0}, {fds_[1], POLLIN, 0}};
            ::poll(ready, 2, 50);
            for (int i = 0; i < 2; ++i) {
                char buffer[4096];
                if (ready[i].revents == 0)
                    continue;
                ssize_t n = ::read(fds_[i], buffer, sizeof buffer);
                if (n > 0) {
                    (i == 0 ? said_.out : said_.err).append(buffer, static_cast<std::size_t>(n));
                } else {
                    ::close(fds_[i]);
                    fds_[i] = -1;
                }
            }
        }
        return said_;
    }

    /// Waits for its end. A program that does not end in time is killed and has the code -9.
    const Said& wait(double seconds = 60) {
        read_until([](const Said&) { return false; }, seconds);
        if (!waited_) {
            if (fds_[0] >= 0 || fds_[1] >= 0)
                ::kill(pid_, SIGKILL);
            int status = 0;
            ::waitpid(pid_, &status, 0);
            waited_ = true;
            said_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        }
        return said_;
    }

  private:
    pid_t pid_ = 0;
    int fds_[2] = {-1, -1};
    bool waited_ = false;
    Said said_;
};

/// `trainyard` with these arguments.
inline Said trainyard(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TRAINYARD_BIN_DIR "/trainyard");
    return Program(std::move(arguments)).wait();
}

}  // namespace trainyard::test
