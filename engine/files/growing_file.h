#pragma once
// A file that others write while it is read: it may grow, become shorter, be replaced, written over or deleted between any two looks at it.
// What was consumed is remembered by position and by its first and last bytes, so that a file that is not the continuation of what was
// read is told from one that is. Nothing is kept open between looks; one that finds no change costs one stat().

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

#include "base/file.h"

namespace trainyard::files {

class GrowingFile {
  public:
    enum class Look {
        Missing,  ///< not there, or no longer
        Same,     ///< nothing changed since the last look
        Changed,  ///< open for read(): what was consumed still holds
        Again,    ///< open for read(): what was consumed is void, position() is 0 (so it is at the first look)
        Failed,   ///< see error()
    };

    explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}

    Look look();
    /// Looks again next time even if nothing changes: there is more to read.
    void look_again() { stamp_ = {}; }
    /// Up to `count` bytes from `offset`, after a look that opened it. Fewer at its end. -1: see error().
    ssize_t read(char* into, std::size_t count, std::uint64_t offset);
    /// The next `count` bytes have been taken; `bytes` points to them.
    void consume(const char* bytes, std::size_t count);
    /// What was consumed is to be read again.
    void restart();
    void close() { file_ = FileDescriptor(); }

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t position() const { return position_; }  ///< byte after what was consumed
    std::uint64_t size() const { return stamp_size_; }    ///< at the last look
    const std::string& error() const { return error_; }   ///< one sentence

  private:
    struct Stamp {
        dev_t device = 0;
        ino_t inode = 0;
        std::int64_t size = -1, written = 0, changed = 0;  // times in ns
        bool operator==(const Stamp&) const = default;
    };
    static constexpr std::size_t kRemembered = 64;

    bool continues();
    void fail(const char* what, int code);

    std::filesystem::path path_;
    FileDescriptor file_;
    Stamp stamp_;
    dev_t device_ = 0;  ///< of what was consumed
    ino_t inode_ = 0;
    bool any_ = false;
    std::uint64_t stamp_size_ = 0;
    std::uint64_t position_ = 0;
    std::string head_, tail_;  ///< first and last bytes of what was consumed
    std::string error_;
};

}  // namespace trainyard::files
