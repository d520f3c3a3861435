// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Versions of other programs, such as 0.14.5, 2.1.0+cu121 or 550.54.15.

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/number.h"

namespace trainyard {

/// True if `version` is older than `other`: the numbers between the dots are compared, missing ones are 0, and what
/// follows a number (rc1, +cu121) is ignored. False if the versions differ only after a part that is not a number.
inline bool is_older_version(std::string_view version, std::string_view other) {
    while (!version.empty() || !other.empty()) {
        const auto take_part = [](std::string_view& text) {
            std::string_view part = text.substr(0, text.find('.'));
            text.remove_prefix(std::min(text.size(), part.size() + 1));
            return part.empty() ? std::optional(0) : take_number<int>(part);
        };
        const auto mine = take_part(version), theirs = take_part(other);
        if (!mine || !theirs)
            return false;
        if (*mine != *theirs)
            return *mine < *theirs;
    }
    return false;
}

}  // namespace trainyard
