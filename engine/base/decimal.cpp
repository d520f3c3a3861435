// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/number.h"

namespace trainyard {

namespace {

/// The digit zero of each script of Unicode 14; the other nine digits follow it.
constexpr std::array<char32_t, 66> kZeros = {
    0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,   0xc66,
    0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,  0x1946,
    0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,  0xa8d0,  0xa900,  0xa9d0,
    0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0,
    0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0};

bool is_blank(char32_t c) {
    return (c >= 0x9 && c <= 0xd) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/// Removes and returns the first character. Invalid UTF-8 gives a character that no number contains.
char32_t take_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    if (length == 0 || length > text.size()) {
        text.remove_prefix(1);
        return 0xfffd;
    }
    char32_t character = length == 1 ? first : first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
        character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    text.remove_prefix(length);
    return character;
}

/// The ASCII form of a character that may be part of a number.
char plain(char32_t character) {
    const auto* zero = std::upper_bound(kZeros.begin(), kZeros.end(), character);
    if (zero != kZeros.begin() && character - *(zero - 1) < 10)
        return static_cast<char>('0' + (character - *(zero - 1)));
    if (is_blank(character))
        return ' ';
    return character < 0x80 ? static_cast<char>(character) : '?';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::optional<double> decimal_number(std::string_view text) {
    std::string written;
    while (!text.empty())
        written += plain(take_character(text));
    written.erase(0, std::min(written.find_first_not_of(' '), written.size()));
    written.erase(written.find_last_not_of(' ') + 1);
    std::string number;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] != '_')
            number += written[i];
        else if (i == 0 || !is_digit(written[i - 1]) || i + 1 == written.size() || !is_digit(written[i + 1]))
            return std::nullopt;
    }
    if (number.starts_with('+') && !number.starts_with("+-"))
        number.erase(0, 1);
    return parse_number<double>(number);
}

}  // namespace trainyard
