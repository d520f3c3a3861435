// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/printable.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace trainyard::text {

namespace {

/// True for characters that are invisible, or that change how the text around them is shown.
bool is_hidden(char32_t c) {
    constexpr std::pair<char32_t, char32_t> kHidden[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},                        // control characters
        {0x061C, 0x061C}, {0x200E, 0x200F}, {0x202A, 0x202E},  // bidirectional controls
        {0x2066, 0x2069}, {0x200B, 0x200B}, {0x2028, 0x2029},  // bidirectional isolates; zero-width space; line separators
        {0x2060, 0x2065}, {0x206A, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
    return std::ranges::any_of(kHidden, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

/// The position after the escape sequence at `at` if it only sets colours (ESC [ 1;31 m), else 0.
std::size_t end_of_colour(std::string_view text, std::size_t at) {
    if (at + 2 >= text.size() || text[at] != '\x1b' || text[at + 1] != '[')
        return 0;
    const std::size_t end = text.find_first_not_of("0123456789;:", at + 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string escape_of(char32_t c) {
    if (c == '\n')
        return "\\n";
    if (c == '\r')
        return "\\r";
    const auto number = static_cast<unsigned>(c);
    if (number < 0x20)
        return fmt::format("\\x{:02x}", number);
    // Escapes as in JSON: JSON texts contain no raw character below U+0020 that would need the shorter form.
    return number < 0x10000 ? fmt::format("\\u{:04x}", number)
                            : fmt::format("\\u{:04x}\\u{:04x}", 0xD800u + ((number - 0x10000u) >> 10),
                                          0xDC00u + ((number - 0x10000u) & 0x3FFu));
}

std::string shown(std::string_view foreign, std::size_t most, bool keep_lines) {
    std::string out;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < foreign.size();) {
        if (const std::size_t end = end_of_colour(foreign, at); end > 0) {
            at = end;
            continue;
        }
        if (characters++ == most)
            return out + fmt::format("... ({} more)", file_size(foreign.size() - at));
        const std::size_t begin = at;
        bool valid = true;
        const char32_t c = next_character(foreign, at, &valid);
        if (!valid)
            append_utf8(out, c);
        else if (c == '\t' || (c == '\n' && keep_lines) || !is_hidden(c))
            out += foreign.substr(begin, at - begin);
        else
            out += escape_of(c);
    }
    return out;
}

}  // namespace

std::string printable(std::string_view foreign, std::size_t most) {
    return shown(foreign, most, false);
}

std::string printable_lines(std::string_view foreign, std::size_t most) {
    return shown(foreign, most, true);
}

}  // namespace trainyard::text
