// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/pseudo_terminal.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"
#include "cli/terminal.h"

namespace trainyard::cli {

namespace {

constexpr int kLookAtSizeMs = 200;
constexpr char kCtrlC = 3;

/// Signals that end this process. SIGINT, SIGTERM and SIGHUP only until the supervisor handles them.
constexpr int kEndingSignals[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGINT, SIGTERM, SIGHUP};

termios manner_before{};

void give_manner_back(int signal) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &manner_before);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

/// A background process that changes the terminal settings is stopped (SIGTTOU), so only the foreground process group
/// may.
bool is_ours(int fd) {
    return is_terminal(fd) && ::tcgetpgrp(fd) == ::getpgrp();
}

}  // namespace

PseudoTerminal::PseudoTerminal() {
    ours_ = FileDescriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    char name[128];
    if (!ours_ || ::grantpt(ours_.get()) != 0 || ::unlockpt(ours_.get()) != 0 ||
        ::ptsname_r(ours_.get(), name, sizeof name) != 0)
        throw UserError("a terminal for the program cannot be allocated: {}", std::strerror(errno));
    theirs_ = FileDescriptor(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    wake_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!theirs_ || !wake_)
        throw UserError("a terminal for the program cannot be allocated: {}", std::strerror(errno));
    ::fcntl(ours_.get(), F_SETFL, O_NONBLOCK);
    take_size();
    if (is_ours(STDIN_FILENO) && ::tcgetattr(STDIN_FILENO, &manner_before) == 0) {
        ::tcsetattr(theirs_.get(), TCSANOW, &manner_before);
        for (int number : kEndingSignals)
            ::signal(number, give_manner_back);
        termios raw = manner_before;
        ::cfmakeraw(&raw);
        // In raw mode our terminal no longer adds carriage returns to its output: the pseudo-terminal has added them
        // already.
        raw_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    }
    keys_ = std::thread([this] { pass_keys(); });
}

PseudoTerminal::~PseudoTerminal() {
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
    keys_.join();
    if (!raw_)
        return;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &manner_before);
    for (int number : kEndingSignals)
        ::signal(number, SIG_DFL);
}

launch::RankStreams PseudoTerminal::streams() const {
    launch::RankStreams streams;
    streams.terminal = theirs_.get();
    streams.ours = ours_.get();
    streams.input = is_terminal(STDIN_FILENO);
    streams.output = is_terminal(STDOUT_FILENO);
    streams.error = is_terminal(STDERR_FILENO);
    streams.keep_input = !streams.input;
    return streams;
}

void PseudoTerminal::take_size() {
    winsize size{}, known{};
    for (int fd : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO})
        if (::ioctl(fd, TIOCGWINSZ, &size) == 0) {
            if (::ioctl(ours_.get(), TIOCGWINSZ, &known) != 0 || std::memcmp(&size, &known, sizeof size) != 0)
                ::ioctl(ours_.get(), TIOCSWINSZ, &size);  // tells the program, too (SIGWINCH)
            return;
        }
}

void PseudoTerminal::pass_keys() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pollfd watched[] = {{wake_.get(), POLLIN, 0}, {raw_ ? STDIN_FILENO : -1, POLLIN, 0}};
    while (retry_interrupted([&] { return ::poll(watched, 2, kLookAtSizeMs); }) >= 0) {
        if (watched[0].revents != 0)
            return;
        take_size();
        if ((watched[1].revents & (POLLIN | POLLHUP)) == 0)
            continue;
        char keys[1024];
        ssize_t n = ::read(STDIN_FILENO, keys, sizeof keys);
        if (n <= 0) {
            watched[1].fd = -1;
            continue;
        }
        // A program without ISIG reads Ctrl-C as a key. Otherwise this process gets SIGINT, and the supervisor forwards
        // it.
        termios theirs{};
        bool signals = ::tcgetattr(theirs_.get(), &theirs) == 0 && (theirs.c_lflag & ISIG) != 0;
        for (ssize_t i = 0; i < n; ++i) {
            if (signals && keys[i] == kCtrlC)
                ::kill(::getpid(), SIGINT);
            else if (::write(ours_.get(), keys + i, 1) < 0 && errno == EAGAIN)
                ::usleep(1000);  // the program does not read: what is typed meanwhile is lost, as on a terminal
        }
    }
}

}  // namespace trainyard::cli
