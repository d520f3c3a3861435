#pragma once
// A terminal that gives every key at once and shows nothing by itself. The old manner is given back by the destructor and when a
// signal ends the program.

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
    /// Throws UserError when standard input is no terminal.
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
/// The first `columns` of it, with an ellipsis in the place of what is cut off.
std::string cut(std::string_view text, std::size_t columns);

}  // namespace trainyard::cli
