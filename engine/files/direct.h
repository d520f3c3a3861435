#pragma once
// Files past the page cache (O_DIRECT).

#include <cstddef>

namespace trainyard::files {

constexpr std::size_t kDirectBlock = 4096;  ///< what O_DIRECT wants addresses, offsets and sizes to be multiples of

}  // namespace trainyard::files
