#include <algorithm>

#include "settings/formats.h"

namespace trainyard::settings {

char32_t next_character(std::string_view text, std::size_t& at) {
    constexpr char32_t kWrong = 0xFFFD;
    auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    unsigned char first = byte(at++);
    if (first < 0x80)
        return first;
    int more = first >= 0xF0 && first < 0xF5   ? 3
               : first >= 0xE0 && first < 0xF0 ? 2
               : first >= 0xC2 && first < 0xE0 ? 1
                                               : 0;
    if (more == 0 || at + static_cast<std::size_t>(more) > text.size())
        return kWrong;
    char32_t character = first & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
        unsigned char next = byte(at + static_cast<std::size_t>(i));
        if ((next & 0xC0) != 0x80)
            return kWrong;
        character = (character << 6) | (next & 0x3F);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (character < kLeast[more] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000))
        return kWrong;
    at += static_cast<std::size_t>(more);
    return character;
}

void append_utf8(std::string& text, char32_t character) {
    auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x80) {
        add(character);
    } else if (character < 0x800) {
        add(0xC0 | (character >> 6));
        add(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        add(0xE0 | (character >> 12));
        add(0x80 | ((character >> 6) & 0x3F));
        add(0x80 | (character & 0x3F));
    } else {
        add(0xF0 | (character >> 18));
        add(0x80 | ((character >> 12) & 0x3F));
        add(0x80 | ((character >> 6) & 0x3F));
        add(0x80 | (character & 0x3F));
    }
}

Place place_of(std::string_view text, std::size_t offset) {
    std::string_view before = text.substr(0, std::min(offset, text.size()));
    std::size_t line_start = before.rfind('\n');
    Place place;
    place.line = 1 + static_cast<int>(std::ranges::count(before, '\n'));
    place.column =
        1 + static_cast<int>(line_start == std::string_view::npos ? before.size() : before.size() - line_start - 1);
    return place;
}

}  // namespace trainyard::settings
