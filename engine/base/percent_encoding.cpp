// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/percent_encoding.h"

#include <cctype>

#include <fmt/format.h>

namespace trainyard {

std::string percent_encoded(std::string_view text, std::string_view keep) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x80 && std::isalnum(byte) != 0) || std::string_view("-_.~").find(c) != std::string_view::npos ||
            keep.find(c) != std::string_view::npos)
            out += c;
        else
            out += fmt::format("%{:02X}", byte);
    }
    return out;
}

}  // namespace trainyard
