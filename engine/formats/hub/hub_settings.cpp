// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/hub_settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/number.h"
#include "base/text.h"

namespace trainyard::hub {

namespace {

std::string value_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::string() : std::string(text::trimmed(value));
}

bool is_on(const char* variable) {
    std::string value = value_of(variable);
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::toupper(c); });
    return value == "1" || value == "TRUE" || value == "YES" || value == "ON";
}

}  // namespace

std::string endpoint() {
    std::string address = value_of("HF_ENDPOINT");
    while (address.ends_with('/'))
        address.pop_back();
    if (address.empty())
        return "https://huggingface.co";
    if (!address.starts_with("http://") && !address.starts_with("https://"))
        throw UserError("HF_ENDPOINT must be the address of a hub, such as https://huggingface.co");
    return address;
}

fs::path cache_root() {
    for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
        if (const std::string named = value_of(variable); !named.empty())
            return fs::absolute(files::expand_home(named));
    return fs::absolute(files::expand_home(files::hugging_face_folder().string())) / "hub";
}

long download_timeout() {
    constexpr long kUsual = 20, kLongest = 24 * 3600;
    const std::string value = value_of("HF_HUB_DOWNLOAD_TIMEOUT");
    if (value.empty())
        return kUsual;
    const auto seconds = parse_number<long>(value, 1, kLongest);
    if (!seconds)
        throw UserError("HF_HUB_DOWNLOAD_TIMEOUT must be a whole number of seconds from 1 to {}", kLongest);
    return *seconds;
}

const char* offline_variable() {
    for (const char* variable : {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"})
        if (is_on(variable))
            return variable;
    return nullptr;
}

bool is_offline() {
    return offline_variable() != nullptr;
}

std::string access_token() {
    std::string token = value_of("HF_TOKEN"), origin = "HF_TOKEN";
    if (token.empty()) {
        const std::string named = value_of("HF_TOKEN_PATH");
        const fs::path file =
            files::expand_home(named.empty() ? (files::hugging_face_folder() / "token").string() : named);
        std::error_code error;
        if (!fs::is_regular_file(file, error))
            return {};
        token = std::string(text::trimmed(read_file(file, 64u << 10)));
        origin = file.string();
    }
    if (std::any_of(token.begin(), token.end(), [](unsigned char c) { return c <= ' ' || c > '~'; }))
        throw UserError("{} holds no access token: a token is one word of ASCII characters", origin);
    return token;
}

}  // namespace trainyard::hub
