// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pointers of Git LFS: small texts that a clone without Git LFS has instead of files of weights.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace trainyard::weights {

/// Throws UserError if the file that begins with these bytes (at least 8 of them count) is a pointer.
inline void refuse_lfs_pointer(std::span<const std::byte> begin, const std::string& where) {
    constexpr auto kBegin = std::string_view("version https://git-lfs");
    const std::string_view text(reinterpret_cast<const char*>(begin.data()), std::min(begin.size(), kBegin.size()));
    if (text.size() >= 8 && kBegin.starts_with(text))
        throw UserError("{} is only a pointer of Git LFS: fetch the file itself with `git lfs pull`", where);
}

}  // namespace trainyard::weights
