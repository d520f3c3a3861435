// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines on the terminal. What this program prints of runs, hosts and files was written by others: it goes through here.

#include <cstdio>
#include <string>
#include <string_view>

#include "base/printable.h"

namespace trainyard::cli {

/// `line` and a newline, with nothing in it that a terminal would obey.
inline void say(std::FILE* to, std::string_view line) {
    const std::string text = text::printable_lines(line) + '\n';
    std::fwrite(text.data(), 1, text.size(), to);
}
inline void say(std::string_view line) {
    say(stdout, line);
}
/// As std::fprintf: what comes of format and arguments, with nothing in it that a terminal would obey.
void say_format(std::FILE* to, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// A figure of a log: four decimals, unless it is so large that they say nothing.
std::string loss_words(double loss);

}  // namespace trainyard::cli
