#pragma once
// The directory of a ZIP archive: which entries there are and where their bytes lie, for whoever reads them (torch.save files, .npz). Everything is
// checked before anything is believed: the directory lies inside the file, names stay inside the archive and come once, entries do not overlap, and
// each is in its own place what the directory says. ZIP64 is understood; encryption and compressions other than deflate are refused. Format: PKWARE
// APPNOTE 6.3.10, sections 4.3 and 4.4.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard::files {

struct ZipEntry {
    std::string name;
    bool deflated = false;    ///< else stored
    std::uint32_t crc = 0;    ///< CRC-32 of the unpacked bytes
    std::uint64_t begin = 0;  ///< of its bytes in the archive
    std::uint64_t compressed_bytes = 0;
    std::uint64_t bytes = 0;  ///< unpacked
};

/// Entries in the order of their places. Throws UserError that begins with `refused`, e.g. "x.npz is no archive that can be read".
std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> archive, const std::string& refused);

/// True when the bytes begin like an archive; says nothing of its health.
bool begins_like_zip(std::span<const std::byte> bytes);

}  // namespace trainyard::files
