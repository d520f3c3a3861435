#pragma once
// CRC-32C (Castagnoli), used by event files, prepared tokens and the first version of checkpoints.

#include <cstdint>
#include <string_view>

namespace trainyard::files {

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t seed = 0);  ///< for processors without SSE 4.2
/// Masked as in the TFRecord format.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace trainyard::files
