// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the directory of a ZIP archive: the entries and where their bytes are (torch.save files, .npz). Archives are
// untrusted, so everything is validated first: the directory is inside the file, names are unique and do not leave the
// archive, entries do not overlap, and each local header agrees with the directory. ZIP64 is supported; encryption and
// compression methods other than deflate are refused. Format: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::files {

struct ZipEntry {
    std::string name;
    bool deflated = false;    ///< otherwise stored
    std::uint32_t crc = 0;    ///< CRC-32 of the uncompressed bytes
    std::uint64_t begin = 0;  ///< offset of its bytes in the archive
    std::uint64_t compressed_bytes = 0;
    std::uint64_t bytes = 0;  ///< uncompressed
};

/// Returns the entries in the order of their offsets. Throws a UserError that begins with `refused`, e.g. "x.npz
/// cannot be read".
std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> archive, const Message& refused);

struct ZipPart {
    std::uint64_t begin = 0, bytes = 0;
};
/// For archives that are brought part by part (app/remote): zeros stand for what is not here. Of one whose end is here, where
/// its directory is. Throws UserError.
ZipPart zip_directory_place(std::span<const std::byte> archive, const Message& refused);
/// Of one whose directory is here: what read_zip_directory() and readers of small entries look at beside it, in the order of
/// the directory: the header of each entry, with its bytes where they are fewer than `whole` or its name ends in `.pkl`. Throws
/// UserError.
std::vector<ZipPart> zip_entry_heads(std::span<const std::byte> archive, std::uint64_t whole, const Message& refused);

/// True if the bytes begin like an archive; the rest is not checked.
bool begins_like_zip(std::span<const std::byte> bytes);

}  // namespace trainyard::files
