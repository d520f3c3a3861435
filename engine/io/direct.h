#pragma once
// Files past the page cache (O_DIRECT).

#include <cstddef>

namespace trainyard::io {

constexpr std::size_t kDirectBlock = 4096;  ///< what O_DIRECT wants addresses, offsets and sizes to be multiples of

}  // namespace trainyard::io
