// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text in UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.

#include <cstddef>
#include <string>
#include <string_view>

namespace trainyard::text {

/// U+FFFD stands for what is not UTF-8.
constexpr char32_t kReplacement = 0xFFFD;

/// Returns the character at `at` and sets `at` to the next one. Bytes that are not UTF-8 give one U+FFFD per maximal subpart of a character, and `valid` becomes
/// false. `at` is less than the size of the text.
char32_t next_character(std::string_view text, std::size_t& at, bool* valid = nullptr);

inline bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}
/// The first `most` bytes of `text`, without the part of a character that may be at their end.
inline std::string_view first_bytes(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return text;
    while (most > 0 && !begins_character(text[most]))
        --most;
    return text.substr(0, most);
}
/// Bytes of the character that begins with `first`, which begins one in valid UTF-8.
inline std::size_t utf8_size(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
void append_utf8(std::string& text, char32_t character);

/// Bytes of `text` before the first character that is not valid UTF-8; all of them if there is none.
std::size_t valid_utf8_bytes(std::string_view text);
/// True if the whole text is valid UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
/// `text` with U+FFFD in place of invalid UTF-8.
std::string to_utf8(std::string_view text);

}  // namespace trainyard::text
