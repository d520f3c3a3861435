// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include <csignal>
#include <ctime>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace trainyard::cli {

namespace {
volatile std::sig_atomic_t ctrl_c_pressed = 0;
struct sigaction old_action {};

void note_interrupt(int) {
    ctrl_c_pressed = 1;
}
}  // namespace

bool is_terminal(int fd) {
    return ::isatty(fd) == 1;
}

int terminal_width() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

InterruptFlag::InterruptFlag() {
    ctrl_c_pressed = 0;
    struct sigaction action {};
    action.sa_handler = note_interrupt;  // without SA_RESTART: waiting ends
    ::sigaction(SIGINT, &action, &old_action);
}

InterruptFlag::~InterruptFlag() {
    ::sigaction(SIGINT, &old_action, nullptr);
}

bool InterruptFlag::taken() {
    bool was = ctrl_c_pressed != 0;
    ctrl_c_pressed = 0;
    return was;
}

void pause_for(double seconds) {
    timespec time{static_cast<time_t>(seconds),
                  static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
    ::nanosleep(&time, nullptr);
}

std::optional<char> wait_for_key(double seconds) {
    termios old{};
    if (::tcgetattr(STDIN_FILENO, &old) != 0)
        return std::nullopt;
    termios raw = old;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    char key = 0;
    bool got = ::poll(&input, 1, static_cast<int>(seconds * 1000)) > 0 && ::read(STDIN_FILENO, &key, 1) == 1;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &old);
    return got ? std::optional(key) : std::nullopt;
}

}  // namespace trainyard::cli
