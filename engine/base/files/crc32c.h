// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CRC-32C (Castagnoli), used by event files, the verification of written weights and the first version of checkpoints.
// Debian 12 has no package with a library for it.

#include <cstdint>
#include <string_view>

namespace trainyard::files {

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t seed = 0);  ///< for processors without SSE 4.2
/// Masked as in the TFRecord format.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace trainyard::files
