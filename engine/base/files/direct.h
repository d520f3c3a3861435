// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// I/O that bypasses the page cache (O_DIRECT).

#include <cstddef>

namespace trainyard::files {

constexpr std::size_t kDirectBlock = 4096;  ///< O_DIRECT requires addresses, offsets and sizes to be multiples of this

}  // namespace trainyard::files
