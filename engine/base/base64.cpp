// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/base64.h"

#include <cstdint>

namespace trainyard {

std::optional<std::string> from_base64(std::string_view text, Base64 letters) {
    std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    alphabet += letters == Base64::standard ? "+/" : "-_";
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text) {
        const std::size_t six = alphabet.find(letter);
        if (six == std::string::npos)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(six);
        if (count += 6; count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<char>(bits >> count & 0xff));
        }
    }
    return bytes;
}

}  // namespace trainyard
