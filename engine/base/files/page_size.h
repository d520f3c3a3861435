// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The size of a page of memory, which mappings and what is said of them are rounded to.

#include <cstddef>

#include <unistd.h>

namespace trainyard::files {

/// Bytes of a large page, where the system has such pages.
inline constexpr std::size_t kLargePage = 2 << 20;

/// In bytes.
inline std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

}  // namespace trainyard::files
