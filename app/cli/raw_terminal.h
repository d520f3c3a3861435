// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A terminal in raw mode: every key arrives immediately and is not echoed. The destructor restores the previous mode,
// as does a signal that ends the program.

#include <string>

#include <termios.h>

namespace trainyard::cli {

struct Key {
    enum class Kind {
        text,
        up,
        down,
        left,
        right,
        home,
        end,
        page_up,
        page_down,
        enter,
        backspace,
        remove,
        escape,
        interrupt,
        closed,
        other
    };
    Kind kind = Kind::other;
    std::string text;  ///< one character in UTF-8
};

class RawTerminal {
  public:
    /// Throws UserError if standard input is not a terminal.
    RawTerminal();
    ~RawTerminal();
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

    /// Waits for the next key.
    Key read();

  private:
    /// -1 when nothing comes within `milliseconds` (negative: for ever) or the terminal is gone.
    int next_byte(int milliseconds);
    Key escape_sequence();
    bool closed_ = false;
};

/// True when arrow keys and redrawn lines can be used: standard input and output are a terminal that understands them.
bool can_draw();
int terminal_height();
/// Columns a text takes, one for each code point.
std::size_t width_of(std::string_view text);
/// Returns at most `columns` columns of the text; an ellipsis replaces what is cut off.
std::string cut(std::string_view text, std::size_t columns);

}  // namespace trainyard::cli
