// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/raw_terminal.h"

#include <csignal>
#include <cstdlib>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/terminal.h"

namespace trainyard::cli {

namespace {

constexpr int kEscapeWait = 40;  // milliseconds in which the rest of an arrow key arrives
constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT};

termios before_raw{};
struct sigaction old_actions[std::size(kSignals)];

void leave_raw(int signal) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_raw);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

bool continues(int byte) {
    return byte >= 0 && (byte & 0xC0) == 0x80;
}

int length_of_character(int first) {
    return first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

}  // namespace

RawTerminal::RawTerminal() {
    if (::tcgetattr(STDIN_FILENO, &before_raw) != 0)
        throw UserError("standard input is not a terminal");
    struct sigaction action {};
    action.sa_handler = leave_raw;
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
        ::sigaction(kSignals[i], &action, &old_actions[i]);
    termios raw = before_raw;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

RawTerminal::~RawTerminal() {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_raw);
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
        ::sigaction(kSignals[i], &old_actions[i], nullptr);
}

int RawTerminal::next_byte(int milliseconds) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, milliseconds) <= 0)
        return -1;
    unsigned char byte = 0;
    if (::read(STDIN_FILENO, &byte, 1) != 1) {
        closed_ = true;
        return -1;
    }
    return byte;
}

Key RawTerminal::escape_sequence() {
    int byte = next_byte(kEscapeWait);
    if (byte < 0)
        return {Key::Kind::escape, {}};
    if (byte != '[' && byte != 'O')
        return {Key::Kind::other, {}};
    std::string rest;
    do {
        byte = next_byte(kEscapeWait);
        if (byte >= 0)
            rest += static_cast<char>(byte);
    } while (byte >= 0 && !(byte >= '@' && byte <= '~') && rest.size() < 16);
    static const std::pair<std::string_view, Key::Kind> kKeys[] = {
        {"A", Key::Kind::up},     {"B", Key::Kind::down}, {"C", Key::Kind::right},    {"D", Key::Kind::left},
        {"H", Key::Kind::home},   {"F", Key::Kind::end},  {"1~", Key::Kind::home},    {"4~", Key::Kind::end},
        {"7~", Key::Kind::home},  {"8~", Key::Kind::end}, {"5~", Key::Kind::page_up}, {"6~", Key::Kind::page_down},
        {"3~", Key::Kind::remove}};
    for (const auto& [sequence, kind] : kKeys)
        if (rest == sequence)
            return {kind, {}};
    return {Key::Kind::other, {}};
}

Key RawTerminal::read() {
    int byte = next_byte(-1);
    if (byte < 0)
        return {closed_ ? Key::Kind::closed : Key::Kind::other, {}};
    switch (byte) {
        case 3:  // Ctrl-C
            return {Key::Kind::interrupt, {}};
        case 4:  // Ctrl-D
            return {Key::Kind::closed, {}};
        case '\r':
        case '\n':
            return {Key::Kind::enter, {}};
        case 127:
        case 8:
            return {Key::Kind::backspace, {}};
        case 1:  // Ctrl-A
            return {Key::Kind::home, {}};
        case 5:  // Ctrl-E
            return {Key::Kind::end, {}};
        case 27:
            return escape_sequence();
        default:
            break;
    }
    if (byte < 32)
        return {Key::Kind::other, {}};
    std::string character(1, static_cast<char>(byte));
    for (int left = length_of_character(byte) - 1; left > 0; --left) {
        int more = next_byte(kEscapeWait);
        if (!continues(more))
            return {Key::Kind::other, {}};
        character += static_cast<char>(more);
    }
    return {Key::Kind::text, character};
}

bool can_draw() {
    const char* kind = std::getenv("TERM");
    return is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO) && kind != nullptr &&
           std::string_view(kind) != "dumb";
}

int terminal_height() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return 24;
    return size.ws_row;
}

std::size_t width_of(std::string_view text) {
    std::size_t columns = 0;
    for (char byte : text)
        if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80)
            ++columns;
    return columns;
}

std::string cut(std::string_view text, std::size_t columns) {
    if (width_of(text) <= columns)
        return std::string(text);
    std::string start;
    std::size_t used = 0;
    for (char byte : text) {
        bool begins = (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
        if (begins && ++used >= columns)
            break;
        start += byte;
    }
    return start + "…";
}

}  // namespace trainyard::cli
