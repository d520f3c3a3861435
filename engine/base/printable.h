#pragma once
// Text that others wrote (logs, notes, labels, messages, names of hosts and files), made fit to be printed. A terminal obeys what it
// reads: a line of a log could otherwise set its title, move its cursor or forge lines of ours.

#include <cstddef>
#include <string>
#include <string_view>

namespace trainyard::text {

/// True when all of it is UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
/// `text` with U+FFFD in the place of what is not UTF-8.
std::string to_utf8(std::string_view text);

/// One line of at most `most` characters. Colours are left out; other control characters, the marks that turn the direction of writing and
/// those that cannot be seen are shown as \n, \x1b, \u202e; what is not UTF-8 is U+FFFD. A cut ends with "... (1.2 kB more)".
std::string printable(std::string_view foreign, std::size_t most = 400);
/// The same without a cut, keeping ends of lines: for the last step before printing. What
/// printable() gave stays as it is, and JSON stays JSON of the same values.
std::string printable_lines(std::string_view foreign, std::size_t most = std::string_view::npos);

}  // namespace trainyard::text
