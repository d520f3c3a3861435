// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes a large file sequentially to a temporary name, with O_DIRECT if the file system supports it (five times as
// fast as buffered writes and fsync on the disks that we measured, and the page cache stays available to the training),
// then flushes and renames it. A reader always finds a complete file under the name: the old or the new one.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/files/hash.h"

namespace trainyard::files {

struct WrittenFile {
    std::uint64_t bytes = 0;
    std::string xxh128;
};

/// An I/O error (EIO) of the disk or of the connection to it. Writing again may succeed.
class DiskError : public UserError {
  public:
    using UserError::UserError;
};

class FileWriter {
  public:
    /// Allocates `expected` bytes at once, so that a full disk is found before minutes of writing. Throws UserError, as
    /// all functions do; for a full disk it names the needed and the free bytes.
    FileWriter(std::filesystem::path path, std::uint64_t expected);
    ~FileWriter();  ///< without finish(): removes the temporary file
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    std::uint64_t position() const { return written_ + filled_; }

    /// `sync_folder`: fsync the folder, so that the rename survives a power failure.
    WrittenFile finish(bool sync_folder = true);

  private:
    void put(std::size_t count);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path path_, aside_;
    std::uint64_t expected_;
    FileDescriptor file_;
    bool direct_ = false;
    std::byte* buffer_ = nullptr;
    std::size_t capacity_ = 0;  ///< bytes, a multiple of the block
    std::size_t filled_ = 0;
    std::uint64_t written_ = 0;
    Xxh128 hash_;
};

}  // namespace trainyard::files
