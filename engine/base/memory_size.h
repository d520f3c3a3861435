// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sizes of memory as people write them (convert_file_size_to_int of accelerate.utils).

#include <cstdint>
#include <string>

namespace trainyard {

/// Bytes of "5GB" (10^9), "5GiB" (2^30), "10Gb" (bits), from KB to PB. All small letters are bytes. Throws UserError for anything else, negative and too
/// large sizes.
std::int64_t parse_memory_size(const std::string& text);

}  // namespace trainyard
