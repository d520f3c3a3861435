#pragma once
// Output that a program's work does not depend on.

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <unistd.h>

namespace trainyard::launch {

/// All of it; where that fails, the rest is dropped and nobody is told.
inline void write_or_give_up(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, n)));
    }
}

}  // namespace trainyard::launch
