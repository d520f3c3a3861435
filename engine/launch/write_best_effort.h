#pragma once
// Best-effort output, for text that no program's work depends on.

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <unistd.h>

namespace trainyard::launch {

/// Writes all of `bytes`. After an error the rest is dropped silently.
inline void write_best_effort(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, n)));
    }
}

}  // namespace trainyard::launch
