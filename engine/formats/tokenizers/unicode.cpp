// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/unicode.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <utf8proc.h>

#include "base/error.h"
#include "formats/tokenizers/script_table.h"

namespace trainyard::tokenizers {

namespace {

utf8proc_category_t category(char32_t character) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

}  // namespace

void check_utf8(std::string_view text, std::string_view what) {
    if (const std::size_t valid = text::valid_utf8_bytes(text); valid < text.size())
        throw UserError("{} is not UTF-8: byte {} is 0x{:02x}", what, valid, static_cast<unsigned char>(text[valid]));
}

char32_t character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    switch (utf8_size(text[at])) {
        case 1:
            return byte(0);
        case 2:
            return static_cast<char32_t>((byte(0) & 0x1f) << 6 | (byte(1) & 0x3f));
        case 3:
            return static_cast<char32_t>((byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
        default:
            return static_cast<char32_t>((byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 |
                                         (byte(3) & 0x3f));
    }
}

char32_t character_before(std::string_view text, std::size_t end) {
    do
        --end;
    while (end > 0 && !begins_character(text[end]));
    return character_at(text, end);
}

std::string to_utf8(std::u32string_view characters) {
    std::string out;
    for (const char32_t character : characters)
        text::append_utf8(out, character);
    return out;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_whitespace(char32_t c) {
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0d);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_number(char32_t character) {
    const auto c = category(character);
    return c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t character) {
    const auto c = category(character);
    return c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_PO;
}

bool is_mark(char32_t character) {
    const auto c = category(character);
    return c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t character) {
    return category(character) == UTF8PROC_CATEGORY_MN;
}

bool is_other(char32_t character) {
    const auto c = category(character);
    return c >= UTF8PROC_CATEGORY_CC && c <= UTF8PROC_CATEGORY_CO;
}

bool is_letter(char32_t character) {
    const auto c = category(character);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool is_word(char32_t character) {
    if (character < 0x80)
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
               (character >= 'A' && character <= 'Z') || character == '_';
    const auto c = category(character);
    // Letters, numbers that are letters, and the circled letters have the property Alphabetic, which utf8proc has no
    // table of.
    return (c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO) || is_mark(character) ||
           c == UTF8PROC_CATEGORY_ND || c == UTF8PROC_CATEGORY_NL || c == UTF8PROC_CATEGORY_PC || character == 0x200c ||
           character == 0x200d || (character >= 0x24b6 && character <= 0x24e9) ||
           (character >= 0x1f130 && character <= 0x1f149) || (character >= 0x1f150 && character <= 0x1f169) ||
           (character >= 0x1f170 && character <= 0x1f189);
}

int script_of(char32_t character) {
    const auto* after =
        std::ranges::upper_bound(kScriptRanges, character, {}, [](const ScriptRange& range) { return range.first; });
    if (after == kScriptRanges.begin() || (after - 1)->last < character)
        return 0;
    return (after - 1)->script;
}

std::u32string to_lower(char32_t character) {
    if (character == 0x130)
        return U"i\u0307";  // the only one that becomes two without context (SpecialCasing.txt)
    return {static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character)))};
}

int combining_class(char32_t character) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(character))->combining_class;
}

std::u32string decompose(char32_t character, bool compatible) {
    std::array<utf8proc_int32_t, 32> buffer{};
    int boundary = UTF8PROC_BOUNDCLASS_START;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0));
    const auto size = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(character), buffer.data(),
                                              static_cast<utf8proc_ssize_t>(buffer.size()), options, &boundary);
    if (size <= 0 || size > static_cast<utf8proc_ssize_t>(buffer.size()))
        return {character};
    return {buffer.begin(), buffer.begin() + size};
}

char32_t compose(char32_t first, char32_t second) {
    std::array<utf8proc_int32_t, 2> pair{static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    return utf8proc_normalize_utf32(pair.data(), 2, options) == 1 ? static_cast<char32_t>(pair[0]) : 0;
}

std::vector<std::size_t> grapheme_ends(std::string_view text) {
    std::vector<std::size_t> ends;
    utf8proc_int32_t state = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = at + utf8_size(text[at]);
        if (next >= text.size() ||
            utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(character_at(text, at)),
                                             static_cast<utf8proc_int32_t>(character_at(text, next)), &state))
            ends.push_back(next);
        at = next;
    }
    return ends;
}

}  // namespace trainyard::tokenizers
