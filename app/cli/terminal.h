// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a person at a terminal needs: its width, one key without Enter, and Ctrl-C as a question instead of an end.

#include <optional>

namespace trainyard::cli {

bool is_terminal(int fd);
/// Columns of standard output, 80 when it does not say.
int terminal_width();

/// While it lives, Ctrl-C only sets a flag (and ends waiting).
class InterruptFlag {
  public:
    InterruptFlag();
    ~InterruptFlag();
    InterruptFlag(const InterruptFlag&) = delete;
    InterruptFlag& operator=(const InterruptFlag&) = delete;
    /// True once for each time Ctrl-C was pressed since the last call.
    bool taken();
};

constexpr double kLook = 0.1;  ///< seconds between two looks at the files of a run

/// Sleeps; shorter when Ctrl-C is pressed.
void pause_for(double seconds);

/// The next key of standard input; empty after `seconds` or when Ctrl-C was pressed.
std::optional<char> wait_for_key(double seconds);

}  // namespace trainyard::cli
