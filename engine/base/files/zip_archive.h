// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the ZIP archives of torch.save. Entries are stored, not compressed, so an entry is a span of the file whose
// checksum is in the directory (zip_directory.h validates everything else). An archive with any compressed entry is
// refused: torch never writes one, and ZIP bombs need one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace trainyard::files {

class ZipArchive {
  public:
    /// `where` names the archive in errors. `bytes` must outlive the object. Throws UserError.
    ZipArchive(std::span<const std::byte> bytes, std::string where);

    /// True if the bytes begin like an archive; the rest is not checked.
    static bool begins_like_one(std::span<const std::byte> bytes);

    struct Entry {
        std::span<const std::byte> bytes;
        std::uint32_t crc = 0;
    };

    /// By name, without the top folder that torch.save adds ("archive/data.pkl" is "data.pkl").
    const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
    /// nullptr if there is no such entry.
    const Entry* find(std::string_view name) const;
    /// The bytes of an entry, after verifying its checksum. Throws UserError if it is missing or damaged.
    std::span<const std::byte> read(std::string_view name) const;

  private:
    std::string where_;
    std::map<std::string, Entry, std::less<>> entries_;
};

/// CRC-32 of ZIP (polynomial 0xEDB88320).
std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace trainyard::files
