// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/far_place.h"

#include <algorithm>

#include "base/number.h"

namespace trainyard::remote {

namespace {

constexpr int kSshPort = 22;

bool is_alphanumeric(char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char letter) {
        return is_alphanumeric(letter) || letter == '_' || letter == '.' || letter == '-';
    });
}

/// `user@name` or `name`.
bool is_host(std::string_view text) {
    if (const std::size_t at = text.find('@'); at != text.npos) {
        if (!is_word(text.substr(0, at)))
            return false;
        text.remove_prefix(at + 1);
    }
    return is_word(text) && is_alphanumeric(text.front());
}

bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

int hex_digit(char letter) {
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

/// Replaces %XX by its byte; a per cent sign without two digits stays.
std::string percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
        if (low < 0) {
            decoded += text[i];
        } else {
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        }
    }
    return decoded;
}

/// `user@name:port/path`, after the scheme.
std::optional<FarPlace> of_address(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::string host = percent_decoded(text.substr(0, slash));
    if (const std::size_t port = host.rfind(':'); port != host.npos && !host.ends_with(']')) {
        const auto number = parse_number<int>(std::string_view(host).substr(port + 1), 1, 65535);
        if (!number)
            return std::nullopt;
        if (*number == kSshPort)
            host.resize(port);
    }
    // An IPv6 address, which has no port here: with one the two could not be distinguished.
    if (const std::size_t bracket = host.find('['); bracket != host.npos) {
        if (!host.ends_with(']'))
            return std::nullopt;
        host.pop_back();
        host.erase(bracket, 1);
    }
    if (host.empty() || host.ends_with('@') || std::ranges::any_of(host, is_blank))
        return std::nullopt;
    std::string path = percent_decoded(text.substr(slash));
    if (path.starts_with("/~/"))  // the home folder, as in git and scp
        path.erase(0, 3);
    return FarPlace{std::move(host), std::move(path)};
}

}  // namespace

std::string FarPlace::text() const {
    return (host.find(':') != host.npos ? "[" + host + "]" : host) + ":" + path;
}

std::optional<FarPlace> far_place(std::string_view text) {
    for (const std::string_view scheme : {"ssh://", "sftp://"})
        if (text.starts_with(scheme))
            return of_address(text.substr(scheme.size()));
    std::string_view host, path;
    if (text.starts_with('[')) {
        const std::size_t end = text.find("]:");
        if (end == text.npos || end == 1)
            return std::nullopt;
        host = text.substr(1, end - 1);
        path = text.substr(end + 2);
        if (std::ranges::any_of(host, [](char letter) { return is_blank(letter) || letter == ']'; }))
            return std::nullopt;
    } else {
        const std::size_t colon = text.find(':');
        if (colon == text.npos || !is_host(text.substr(0, colon)))
            return std::nullopt;
        host = text.substr(0, colon);
        path = text.substr(colon + 1);
    }
    if (path.starts_with(':') || text.find("://") != text.npos)
        return std::nullopt;
    return FarPlace{std::string(host), std::string(path)};
}

}  // namespace trainyard::remote
