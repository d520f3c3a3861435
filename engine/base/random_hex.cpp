// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random_hex.h"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

#include "base/hex.h"
#include "base/system_call.h"

namespace trainyard {

std::string random_hex(std::size_t digits) {
    std::string bytes((digits + 1) / 2, '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t n =
            retry_interrupted([&] { return ::getrandom(bytes.data() + filled, bytes.size() - filled, 0); });
        if (n < 0)
            throw std::system_error(errno, std::generic_category(), "getrandom");
        filled += static_cast<std::size_t>(n);
    }
    return to_hex(bytes).substr(0, digits);
}

std::string random_uuid() {
    std::string hex = random_hex(32);
    hex[12] = '4';
    hex[16] = "89ab"[hex[16] & 3];
    return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) + '-' +
           hex.substr(20);
}

}  // namespace trainyard
