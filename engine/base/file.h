// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files that are either complete or absent: write to a temporary file, fsync, rename, fsync the folder. All functions
// throw UserError with the path and the system's reason ("/data/x: No space left on device (needed 12.3 MB, 4.1 MB
// free)").

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/filesystem.h"

namespace trainyard {

/// The whole content. Throws if the file cannot be opened or is larger than `limit` bytes.
std::string read_file(const fs::path& path, std::uint64_t limit = 64ull << 20);

/// Replaces `path` atomically: readers see the old or the new content, with `durable` also after a power failure.
void write_file_atomically(const fs::path& path, std::string_view content, bool durable = true, int mode = 0600);

/// Appends one line (adding the newline) with a single write(2), so that concurrent readers see whole lines, or a
/// partial last line.
void append_line(const fs::path& path, std::string_view line);

/// Creates the folder and its parents; the last one gets mode 0700. Succeeds if it exists.
void make_private_folder(const fs::path& path);

/// fsync of a file or a folder.
void sync_path(const fs::path& path);

/// Throws UserError("<what> <path>: <strerror(error)> ..."), with the free bytes if the disk is full.
[[noreturn]] void throw_file_error(std::string_view what, const fs::path& path, int error);

}  // namespace trainyard
