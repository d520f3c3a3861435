#pragma once
// Reading of files that anybody may have put there: those of a run's folder. Such a file is a regular file of a bounded size, or it is
// not read: opening a named pipe waits for a writer, reading a device need not end.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/file.h"

namespace trainyard {

/// Opens for reading, without waiting for anybody. Throws UserError naming what lies there when it is not a regular file (a link to one
/// counts as one), or the reason of the system.
FileDescriptor open_regular_file(const fs::path& path);
/// The same for readers that look again later: an empty descriptor in the place of an error.
FileDescriptor try_open_regular_file(const fs::path& path) noexcept;

/// Whole content of a regular file. Throws UserError as open_regular_file does, and when it is larger than `limit` bytes.
std::string read_regular_file(const fs::path& path, std::uint64_t limit);

/// The first `most` bytes at most; empty when there is no regular file that can be read.
std::string read_head(const fs::path& path, std::size_t most);

/// What is left to read of `fd`. Throws UserError naming `path` when that is more than `limit` bytes.
std::string read_descriptor(int fd, const fs::path& path, std::uint64_t limit);

}  // namespace trainyard
