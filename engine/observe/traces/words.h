// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How times of traces are written, the same in the terminal and on the desktop.

#include <cstdint>
#include <string>

namespace trainyard::traces {

/// Three significant digits: `812 ns`, `4.21 µs`, `3.07 ms`, `1.42 s`; from ten seconds on as text::duration. With a minus where negative.
std::string time_words(std::int64_t nanoseconds);

}  // namespace trainyard::traces
