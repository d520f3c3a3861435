#pragma once
// Letters of ASCII in one case, for keys, flags and words of settings. Other letters stay: the answer does not depend on the locale.

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
