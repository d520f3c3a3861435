#include "base/hex.h"

namespace trainyard {

namespace {

int digit_of(char letter) {
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'f')
        return letter - 'a' + 10;
    return -1;
}

}  // namespace

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

std::string from_hex(std::string_view text) {
    if (text.size() % 2 != 0)
        return {};
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        int high = digit_of(text[i]), low = digit_of(text[i + 1]);
        if (high < 0 || low < 0)
            return {};
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

}  // namespace trainyard
