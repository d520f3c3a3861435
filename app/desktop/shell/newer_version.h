// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether a newer version of the program exists: asked only if the user wants it, at an address that the user wrote.
// The answer is untrusted: JSON with `version` or `tag_name`, and `page` or `html_url` with the address of its page, as
// the interfaces of code hosts answer for the latest release.

#include <stop_token>
#include <string>
#include <string_view>

namespace trainyard::desktop {

struct Release {
    std::string version;  ///< numbers with dots, such as 0.3.0
    std::string page;     ///< https address; empty: none
    bool operator==(const Release&) const = default;
};

inline constexpr std::size_t kMostReleaseBytes = 64u << 10;  ///< of an answer

/// Throws UserError if the address is not https, or http on this machine.
void check_release_address(const std::string& address);
/// Reads an answer. Throws UserError if it is larger than kMostReleaseBytes, not such JSON, or a preview.
Release read_release(std::string_view answer);
/// Asks the address. Blocks, at most 20 s. Sends nothing but the request. Throws UserError.
Release ask_newest_release(const std::string& address, std::stop_token stop = {});
/// Whether it is newer than this program.
bool is_newer(const Release& release);

}  // namespace trainyard::desktop
