// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads entries of .npz archives, which are stored or deflated.

#include <cstdint>
#include <vector>

#include "base/files/zip_directory.h"
#include "formats/tables/source_file.h"

namespace trainyard::formats {

/// files::read_zip_directory() of a file. Throws UserError.
std::vector<files::ZipEntry> read_zip_directory(const SourceFile& file);

/// At most the first `limit` bytes of an entry; if that is the whole entry, its length and checksum are verified.
/// Throws UserError.
std::vector<std::byte> read_zip_entry(const SourceFile& file, const files::ZipEntry& entry, std::uint64_t limit);

}  // namespace trainyard::formats
