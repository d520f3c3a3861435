// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Formats numbers and names for users. The terminal and the desktop use the same functions, so both show the same text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::text {

/// Decimal file size: `14.9 GB`, `1.2 MB`, `812 B`.
std::string file_size(std::uint64_t bytes);
/// Binary memory size: `61.3 GiB`.
std::string memory_size(std::uint64_t bytes);
/// At most two units, with their symbols in SI: `820 ms`, `1.42 s`, `38 min 5 s`, `8 h 31 min`, `3 d`.
std::string duration(double seconds);
/// Three significant digits with an SI prefix: `739 k`, `1.05 M`, `42.0`.
std::string quantity(double value);
/// `18,420`
std::string grouped(std::int64_t value);

/// The text without the blanks at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n\f\v");
/// One word of a POSIX shell that means exactly `word`, for commands that are shown or written into a script. What is sent to a host is quoted by
/// remote/quoting.h.
std::string shell_word(std::string_view word);
std::string shell_words(const std::vector<std::string>& words);
/// In single quotes.
std::string shell_quoted(std::string_view word);

/// The text up to the end of the first line.
inline std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// The message with `to` instead of `from` in its values, at any depth, and in a text without a form.
Message replaced(const Message& message, std::string_view from, std::string_view to);

/// The only candidate that begins with `word`, or that with the smallest edit distance if it is close enough (a third of
/// the length or 2, at most half of the word), whatever the case of letters.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);
/// `: did you mean 'steps'?`, or the list of known names if none is close.
Message did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace trainyard::text
