// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Makes untrusted text (logs, notes, labels, messages, host and file names) safe to print. Terminals execute escape
// sequences: without this, a log line could set the title, move the cursor or forge lines of our output.

#include <cstddef>
#include <string>
#include <string_view>

namespace trainyard::text {

/// One line of at most `most` characters. Colour sequences are removed; other control characters, bidirectional control
/// characters and invisible ones are escaped as \n, \x1b, \u202e; invalid UTF-8 becomes U+FFFD. Text that was cut ends with "... (1.2 kB more)".
std::string printable(std::string_view foreign, std::size_t most = 400);
/// The same for several lines and by default without a limit, for the last step before printing. Idempotent, also for
/// the result of printable(), and JSON stays JSON with the same values.
std::string printable_lines(std::string_view foreign, std::size_t most = std::string_view::npos);

}  // namespace trainyard::text
