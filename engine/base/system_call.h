// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// System calls that a signal may interrupt, and transfers that the kernel may do in parts.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace trainyard {

/// Calls `call` until no signal interrupts it (EINTR) and returns its result: -1 with errno for every other error.
template <class Call>
auto retry_interrupted(Call&& call) {
    for (;;)
        if (const auto result = call(); result != -1 || errno != EINTR)
            return result;
}

// The functions below return false, or -1, after an error, with errno; reads are short at the end of the file only.

/// At the position of the file, of a pipe or of a terminal.
bool write_all(int fd, std::string_view bytes);
bool write_all_at(int fd, std::string_view bytes, std::uint64_t offset);
/// To a socket; a peer that is gone is an error (EPIPE) and not a signal.
bool send_all(int socket, std::string_view bytes);

/// Number of bytes.
ssize_t read_all(int fd, std::span<std::byte> out);
ssize_t read_all_at(int fd, std::span<std::byte> out, std::uint64_t offset);
/// Appends what can be read until the end of the file or of the stream.
bool read_to_end(int fd, std::string& text);

}  // namespace trainyard
