// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a program on a pseudo-terminal, as a person at a terminal does.

#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"

namespace trainyard::test {

/// A program whose terminal we hold.
class AtTerminal {
  public:
    explicit AtTerminal(std::vector<std::string> words) {
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        winsize size{24, 100, 0, 0};
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
        if (pid_ == 0) {
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
    }
    ~AtTerminal() {
        if (!waited_) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        ::close(terminal_);
    }
    AtTerminal(const AtTerminal&) = delete;
    AtTerminal& operator=(const AtTerminal&) = delete;

    void type(const std::string& keys) {
        ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    void signal(int number) { ::kill(pid_, number); }
    /// Whether typed keys are shown and lines are edited by the terminal, as a shell left it.
    bool is_as_before() const {
        termios now{};
        return ::tcgetattr(terminal_, &now) == 0 && (now.c_lflag & (ECHO | ICANON | ISIG)) == (ECHO | ICANON | ISIG);
    }
    /// True when `text` came; all that came is in screen().
    bool see(const std::string& text, double seconds = 60) { return see_after(0, text, seconds); }
    /// The same in what came after `from` bytes.
    bool see_after(std::size_t from, const std::string& text, double seconds = 60) {
        double deadline = monotonic_seconds() + seconds;
        while (screen_.find(text, from) == std::string::npos && monotonic_seconds() < deadline && read_some()) {
        }
        return screen_.find(text, from) != std::string::npos;
    }
    int wait() {
        double deadline = monotonic_seconds() + 60;
        while (monotonic_seconds() < deadline && read_some()) {
        }
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == 0) {
            double end = monotonic_seconds() + 10;
            while (::waitpid(pid_, &status, WNOHANG) == 0) {
                if (monotonic_seconds() > end)
                    ::kill(pid_, SIGKILL);
                ::usleep(1000);
            }
        }
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    const std::string& screen() const { return screen_; }

  private:
    bool read_some() {
        pollfd ready{terminal_, POLLIN, 0};
        if (::poll(&ready, 1, 50) <= 0)
            return true;
        char buffer[4096];
        ssize_t n = ::read(terminal_, buffer, sizeof buffer);
        if (n > 0)
            screen_.append(buffer, static_cast<std::size_t>(n));
        return n > 0;
    }
    int terminal_ = -1;
    pid_t pid_ = 0;
    bool waited_ = false;
    std::string screen_;
};

}  // namespace trainyard::test
