#pragma once
// The directory of a ZIP archive: which entries there are and where their bytes lie. For .npz archives, whose entries are stored or
// deflated. PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4; ZIP64 is understood.

#include <cstdint>
#include <string>
#include <vector>

#include "formats/source_file.h"

namespace trainyard::formats {

struct ZipEntry {
    std::string name;
    bool deflated = false;
    std::uint32_t crc = 0;
    std::uint64_t begin = 0;  ///< of the compressed bytes in the file
    std::uint64_t compressed_bytes = 0;
    std::uint64_t bytes = 0;
};

/// Throws UserError for what is no archive, for entries outside of the file, for other compressions, for encryption and for names that are there
/// twice.
std::vector<ZipEntry> read_zip_directory(const SourceFile& file);

/// The first `limit` bytes of an entry at most; when that is all of it, its length and checksum are compared. Throws UserError.
std::vector<std::byte> read_zip_entry(const SourceFile& file, const ZipEntry& entry, std::uint64_t limit);

}  // namespace trainyard::formats
