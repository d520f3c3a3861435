#pragma once
// The entries of .npz archives, which are stored or deflated.

#include <cstdint>
#include <vector>

#include "files/zip_directory.h"
#include "formats/source_file.h"

namespace trainyard::formats {

/// files::read_zip_directory() of a file. Throws UserError.
std::vector<files::ZipEntry> read_zip_directory(const SourceFile& file);

/// The first `limit` bytes of an entry at most; when that is all of it, its length and checksum are compared. Throws UserError.
std::vector<std::byte> read_zip_entry(const SourceFile& file, const files::ZipEntry& entry, std::uint64_t limit);

}  // namespace trainyard::formats
