#pragma once
// A file mapped for reading. Its spans stay valid as long as the object lives.

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>

namespace trainyard::files {

class MappedFile {
  public:
    enum class Pages {
        shared,            ///< with all processes that read the file; nobody may write to them
        copied_if_written  ///< for those who hand the bytes on as tensors: changed pages are this process's own
    };

    /// Throws UserError naming the path when it is no regular file or cannot be read.
    explicit MappedFile(const std::filesystem::path& path, Pages pages = Pages::copied_if_written);
    /// Of an open file (which may be closed then), shared; `path` is what messages call it.
    MappedFile(int fd, const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::span<const std::byte> bytes() const { return bytes_; }

    /// For those who read at random places and keep no more than a few megabytes mapped, however much they read: whoever has read `count` bytes at
    /// one place says so. Now and then all pages are let go, which cost nothing to map again from the system's cache. From any thread.
    void has_read(std::size_t count) const;
    /// Lets go of the pages of this process.
    void release() const;

  private:
    void map(int fd, Pages pages);

    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
    mutable std::atomic<std::size_t> read_ = 0;  ///< bytes since pages were let go, the pages around them counted
};

/// These bytes of a file mapped for reading are not needed again soon: their memory goes back to the system. They can still be read.
void release_pages(std::span<const std::byte> part);

}  // namespace trainyard::files
