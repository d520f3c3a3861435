// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file mapped into memory for reading. The spans are valid as long as the object.

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>

namespace trainyard::files {

class MappedFile {
  public:
    enum class Pages {
        shared,            ///< with all processes that map the file; read-only
        copied_if_written  ///< private, writable: for bytes that are handed out as tensors
    };

    /// Throws UserError naming the path if it is not a regular file or cannot be read.
    explicit MappedFile(const std::filesystem::path& path, Pages pages = Pages::copied_if_written);
    /// Maps an open file, shared; the caller may close `fd`. `path` is used in messages only.
    MappedFile(int fd, const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::span<const std::byte> bytes() const { return bytes_; }

    /// For random access with bounded resident memory: callers report that they have read `count` bytes at one offset.
    /// After a few megabytes all pages are released; mapping them again from the page cache is cheap. Thread-safe.
    void has_read(std::size_t count) const;
    /// Releases the pages of this process.
    void release() const;

  private:
    void map(int fd, Pages pages);

    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
    mutable std::atomic<std::size_t> read_ = 0;  ///< bytes since the last release, fault-around included
};

/// Releases the memory of these mapped bytes because they are not needed again soon. They can still be read.
void release_pages(std::span<const std::byte> part);

}  // namespace trainyard::files
