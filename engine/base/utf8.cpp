// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace trainyard::text {

char32_t next_character(std::string_view text, std::size_t& at, bool* valid) {
    const auto wrong = [valid] {
        if (valid != nullptr)
            *valid = false;
        return kReplacement;
    };
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at++);
    if (first < 0x80)
        return first;
    int more = 0;
    unsigned char low = 0x80, high = 0xBF;  // range of the second byte that excludes overlong forms and surrogates
    char32_t character = 0;
    if (first >= 0xC2 && first <= 0xDF) {
        more = 1;
        character = first & 0x1Fu;
    } else if (first >= 0xE0 && first <= 0xEF) {
        more = 2;
        character = first & 0x0Fu;
        low = first == 0xE0 ? 0xA0 : low;
        high = first == 0xED ? 0x9F : high;
    } else if (first >= 0xF0 && first <= 0xF4) {
        more = 3;
        character = first & 0x07u;
        low = first == 0xF0 ? 0x90 : low;
        high = first == 0xF4 ? 0x8F : high;
    }
    if (more == 0)
        return wrong();
    for (; more > 0; --more) {
        if (at >= text.size() || byte(at) < low || byte(at) > high)
            return wrong();
        character = character << 6 | (byte(at++) & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
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

std::size_t valid_utf8_bytes(std::string_view text) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080;
    for (std::size_t at = 0; at < text.size();) {
        // Eight ASCII characters at a time: most text is long runs of them.
        std::uint64_t eight = 0;
        if (at + sizeof eight <= text.size()) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if ((eight & kHighBits) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        const std::size_t begin = at;
        bool valid = true;
        next_character(text, at, &valid);
        if (!valid)
            return begin;
    }
    return text.size();
}

bool is_utf8(std::string_view text) {
    return valid_utf8_bytes(text) == text.size();
}

std::string to_utf8(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        bool valid = true;
        const char32_t character = next_character(text, at, &valid);
        if (valid)
            out += text.substr(begin, at - begin);
        else
            append_utf8(out, character);
    }
    return out;
}

}  // namespace trainyard::text
