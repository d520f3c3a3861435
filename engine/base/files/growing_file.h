// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a file while others write it: between two polls it may grow, shrink, be replaced, overwritten or deleted. The
// position and the first and last consumed bytes are remembered, to distinguish a continuation from another file. No
// descriptor is kept open between polls; a poll without a change costs one stat().

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/message.h"

namespace trainyard::files {

class GrowingFile {
  public:
    enum class Poll {
        Missing,  ///< does not exist, or no longer
        Same,     ///< nothing changed since the last poll
        Changed,  ///< open for read(): what was consumed is still valid
        Again,    ///< open for read(): what was consumed is invalid, position() is 0 (so it is at the first poll)
        Failed,   ///< see error()
    };

    explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}

    Poll poll();
    /// Makes the next poll open the file even if it has not changed: there is more to read.
    void force_poll() { stamp_ = {}; }
    /// Reads up to `count` bytes at `offset`, after a poll that opened the file; fewer at the end of the file. -1: see
    /// error().
    ssize_t read(char* into, std::size_t count, std::uint64_t offset);
    /// Marks the next `count` bytes as consumed; `bytes` points to them.
    void consume(const char* bytes, std::size_t count);
    /// Marks everything as not consumed.
    void restart();
    void close() { file_ = FileDescriptor(); }

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t position() const { return position_; }  ///< offset of the first byte that has not been consumed
    std::uint64_t size() const { return stamp_size_; }    ///< at the last poll
    const Message& error() const { return error_; }       ///< a sentence

  private:
    struct Stamp {
        dev_t device = 0;
        ino_t inode = 0;
        std::int64_t size = -1, written = 0, changed = 0;  // times in ns
        bool operator==(const Stamp&) const = default;
    };
    static constexpr std::size_t kRemembered = 64;

    bool continues();
    void fail(int code);

    std::filesystem::path path_;
    FileDescriptor file_;
    Stamp stamp_;
    dev_t device_ = 0;  ///< of the consumed bytes' file
    ino_t inode_ = 0;
    bool any_ = false;
    std::uint64_t stamp_size_ = 0;
    std::uint64_t position_ = 0;
    std::string head_, tail_;  ///< first and last consumed bytes
    Message error_;
};

}  // namespace trainyard::files
