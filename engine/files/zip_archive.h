#pragma once
// The ZIP archives of torch.save: stored entries only, so an entry is a span of the file, and its bytes have the checksum of the directory
// (zip_directory.h, which checks everything else). A compressed entry is refused, also one that nobody asks for: torch never writes any, and a
// bomb is nothing else.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace trainyard::files {

class ZipArchive {
  public:
    /// `where` names the archive in errors. The bytes must outlive the object. Throws UserError.
    ZipArchive(std::span<const std::byte> bytes, std::string where);

    /// True when the bytes begin like an archive; says nothing of its health.
    static bool begins_like_one(std::span<const std::byte> bytes);

    struct Entry {
        std::span<const std::byte> bytes;
        std::uint32_t crc = 0;
    };

    /// By name, without the one folder that torch.save puts around everything ("archive/data.pkl" is "data.pkl").
    const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
    /// nullptr when there is none.
    const Entry* find(std::string_view name) const;
    /// The bytes of an entry, after comparing its checksum. Throws UserError when it is missing or damaged.
    std::span<const std::byte> read(std::string_view name) const;

  private:
    std::string where_;
    std::map<std::string, Entry, std::less<>> entries_;
};

/// CRC-32 of ZIP (polynomial 0xEDB88320).
std::uint32_t crc32(std::span<const std::byte> bytes);
std::uint32_t crc32_by_table(std::span<const std::byte> bytes);  ///< for processors without carry-less products

}  // namespace trainyard::files
