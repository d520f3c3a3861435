// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Case conversion of ASCII letters, for keys, flags and values of settings. Other characters are kept, so the result
// does not depend on the locale.

#include <string>
#include <string_view>

namespace trainyard::text {

inline std::string lower(std::string_view text) {
    std::string made(text);
    for (char& letter : made)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return made;
}

inline std::string upper(std::string_view text) {
    std::string made(text);
    for (char& letter : made)
        if (letter >= 'a' && letter <= 'z')
            letter = static_cast<char>(letter - 'a' + 'A');
    return made;
}

}  // namespace trainyard::text
