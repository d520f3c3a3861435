// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads files that anybody may have created, such as those of a run's folder. Only regular files of limited size are
// read: opening a named pipe blocks until there is a writer, and reading a device may never end.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/file_descriptor.h"
#include "base/filesystem.h"

namespace trainyard {

/// Opens for reading without blocking. Throws UserError that names the type of the file if it is not a regular file (a
/// link to one is accepted), or else the system's reason.
FileDescriptor open_regular_file(const fs::path& path);
/// The same for callers that retry later: an empty descriptor instead of an error.
FileDescriptor try_open_regular_file(const fs::path& path) noexcept;

/// The whole content of a regular file. Throws UserError as open_regular_file() does, and if it is larger than `limit`
/// bytes.
std::string read_regular_file(const fs::path& path, std::uint64_t limit);

/// At most the first `most` bytes; empty if there is no readable regular file.
std::string read_head(const fs::path& path, std::size_t most);

/// The rest of `fd`. Throws UserError naming `path` if that is more than `limit` bytes.
std::string read_descriptor(int fd, const fs::path& path, std::uint64_t limit);

}  // namespace trainyard
