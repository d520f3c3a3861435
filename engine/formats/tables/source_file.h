// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file that is read with pread() instead of mapped, because a mapped file that another process truncates raises
// SIGBUS; here it is an error.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file_descriptor.h"

namespace trainyard::formats {

class SourceFile {
  public:
    /// Throws UserError if it is not a regular file or cannot be read.
    explicit SourceFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }  ///< at the time of opening
    /// Fills `out`. Throws UserError if the file has been truncated. Thread-safe.
    void read(std::uint64_t offset, std::span<std::byte> out) const;
    std::vector<std::byte> read(std::uint64_t offset, std::uint64_t bytes) const;
    /// Size and modification time at the time of opening, as text for saved states.
    const std::string& stamp() const { return stamp_; }

  private:
    std::filesystem::path path_;
    FileDescriptor file_;
    std::uint64_t size_ = 0;
    std::string stamp_;
};

/// A little-endian number at `offset`; the caller has checked the bounds.
template <class T>
T little_endian(std::span<const std::byte> bytes, std::size_t offset = 0) {
    T value;
    std::memcpy(&value, bytes.subspan(offset, sizeof(T)).data(), sizeof(T));
    return value;
}

}  // namespace trainyard::formats
