#pragma once
// Writes a large file from front to back, aside, past the page cache where the file system allows it (O_DIRECT: five times as fast as
// buffered writing and fsync on the disks we measured, and training keeps its cache), flushes and renames. A file of the name is whole at
// every moment: the old one or the new one.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "files/hash.h"

namespace trainyard::files {

struct WrittenFile {
    std::uint64_t bytes = 0;
    std::string xxh128;
};

/// The disk, or the way to it, has failed (EIO): the same may succeed when it is written once more.
class DiskError : public UserError {
  public:
    using UserError::UserError;
};

class FileWriter {
  public:
    /// `expected` bytes are asked of the file system at once, so that a full disk is known before minutes of writing. Throws
    /// UserError, as do all functions; a full disk is told with the bytes needed and free.
    FileWriter(std::filesystem::path path, std::uint64_t expected);
    ~FileWriter();  ///< without finish(): removes what was written aside
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
    std::uint64_t position() const { return written_ + filled_; }

    /// `sync_folder`: the name survives a power cut, too.
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
