// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Part of a file, mapped for reading while the object lives. Its pages can be fetched ahead of use, in one call instead of a page fault each. Pages that a file
// lost since it was mapped read as zeros: ask throw_if_pages_were_lost() behind their use.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/files/lost_pages.h"

namespace trainyard::files {

class MappedRange {
  public:
    MappedRange() = default;
    /// `count` bytes of an open file from `offset` on, which need not be a multiple of the page size; `path` is used in messages only.
    /// Throws UserError.
    MappedRange(int fd, std::uint64_t offset, std::size_t count, const std::filesystem::path& path);
    ~MappedRange();
    MappedRange(MappedRange&& other) noexcept;
    MappedRange& operator=(MappedRange&& other) noexcept;

    std::span<const std::byte> bytes() const { return bytes_; }
    /// Reads `part`, which is one of bytes(), from the disk where the page cache lacks it, and maps its pages. Throws UserError where the file cannot be
    /// read, or was cut since it was opened.
    void populate(std::span<const std::byte> part, const std::filesystem::path& path) const;

  private:
    void unmap();
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::span<const std::byte> bytes_;
    PageWatch watch_;
};

}  // namespace trainyard::files
