// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/run_secret.h"

#include <openssl/crypto.h>
#include <sys/random.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {
constexpr std::size_t kLongestSecret = 1024;
}

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
        const ssize_t n = retry_interrupted([&] { return ::getrandom(bytes.data() + have, count - have, 0); });
        if (n <= 0)
            throw UserError("the kernel gives no random bytes: a run's secret cannot be made");
        have += static_cast<std::size_t>(n);
    }
    return bytes;
}

void wipe(std::string& text) {
    ::OPENSSL_cleanse(text.data(), text.size());
    text.clear();
}

Secret::Secret(std::string_view text) : text_(text) {
    if (text_.empty() || text_.size() > kLongestSecret)
        throw UserError(text_.empty() ? Message("the run's secret is empty: give at least a word")
                                      : Message("the run's secret is longer than 1024 bytes: give a shorter one"));
}

Secret::~Secret() {
    wipe(text_);
}

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        wipe(text_);
        text_ = other.text_;
    }
    return *this;
}

Secret Secret::random() {
    std::string bytes = random_bytes(32), text = to_hex(bytes);
    Secret secret(text);
    wipe(bytes);
    wipe(text);
    return secret;
}

}  // namespace trainyard::launch
