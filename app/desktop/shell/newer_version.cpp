// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/newer_version.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/version.h"
#include "formats/hub/http_client.h"

namespace trainyard::desktop {

namespace {

constexpr std::size_t kLongestVersion = 32, kLongestAddress = 2000;
constexpr double kLimit = 20;  ///< seconds for the whole request

/// Numbers with dots, at most four of at most six digits.
bool is_version(std::string_view text) {
    const auto parts = std::ranges::count(text, '.') + 1;
    if (text.size() > kLongestVersion || parts < 2 || parts > 4)
        return false;
    std::size_t digits = 0;
    for (const char letter : text) {
        if (letter == '.' ? digits == 0 : letter < '0' || letter > '9' || digits == 6)
            return false;
        digits = letter == '.' ? 0 : digits + 1;
    }
    return digits > 0;
}

bool is_printable_address(std::string_view address) {
    return address.size() <= kLongestAddress &&
           std::ranges::all_of(address, [](char letter) { return letter > ' ' && letter < 0x7f; });
}

bool is_on_this_machine(std::string_view address) {
    constexpr std::array kHosts{"http://127.0.0.1", "http://localhost", "http://[::1]"};
    return std::ranges::any_of(kHosts, [address](std::string_view host) {
        const std::string_view rest = address.substr(std::min(host.size(), address.size()));
        return address.starts_with(host) && (rest.empty() || rest.front() == ':' || rest.front() == '/') &&
               rest.substr(0, rest.find('/')).find('@') == rest.npos;
    });
}

/// The text of the first of two keys that the answer has; empty: none.
std::string text_of(const nlohmann::json& answer, const char* key, const char* other) {
    for (const char* one : {key, other})
        if (const auto found = answer.find(one); found != answer.end() && found->is_string())
            return found->get<std::string>();
    return {};
}

}  // namespace

void check_release_address(const std::string& address) {
    const bool secure = address.starts_with("https://") && address.size() > 8;
    if (!is_printable_address(address) || !(secure || is_on_this_machine(address)))
        throw UserError("{} is not an https address", address.substr(0, 200));
}

Release read_release(std::string_view answer) {
    if (answer.size() > kMostReleaseBytes)
        throw UserError("the answer is larger than {} KiB", kMostReleaseBytes >> 10);
    const nlohmann::json read = read_json(answer);
    if (!read.is_object())
        throw UserError("the answer is not JSON of a release: it needs version or tag_name");
    for (const char* kind : {"draft", "prerelease"})
        if (const auto found = read.find(kind); found != read.end() && *found == true)
            throw UserError("the answer is of a version that is not released yet");
    Release release{text_of(read, "version", "tag_name"), text_of(read, "page", "html_url")};
    if (release.version.starts_with('v'))
        release.version.erase(0, 1);
    if (!is_version(release.version))
        throw UserError("the answer is not JSON of a release: it needs version or tag_name");
    if (!release.page.starts_with("https://") || !is_printable_address(release.page))
        release.page.clear();
    return release;
}

Release ask_newest_release(const std::string& address, std::stop_token stop) {
    check_release_address(address);
    hub::HttpClient client({}, std::move(stop));
    const hub::HttpAnswer answer =
        client.send({.method = "GET", .address = address, .headers = {"Accept: application/json"}, .limit_s = kLimit});
    if (answer.status == 0)
        throw UserError("{} did not answer: {}", address, answer.problem);
    if (!answer.ok())
        throw UserError("{} answered with status {}", address, answer.status);
    return read_release(answer.body);
}

bool is_newer(const Release& release) {
    return is_older_version(TRAINYARD_VERSION, release.version);
}

}  // namespace trainyard::desktop
