// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hex.h"

namespace trainyard {

std::string to_hex(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());  // a text that grows leaves parts of itself behind
    for (char byte : bytes) {
        text.push_back(kDigits[(static_cast<unsigned char>(byte)) >> 4]);
        text.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
    }
    return text;
}

}  // namespace trainyard
