#pragma once
// A file mapped for reading at random places: all processes share its pages, and none keeps more than a few megabytes of it mapped, however
// much it reads.

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>

namespace trainyard::io {

class MappedFile {
  public:
    /// Throws UserError naming the path.
    explicit MappedFile(const std::filesystem::path& path);
    /// Of an open file (which may be closed then); `path` is what messages call it.
    MappedFile(int fd, const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }
    /// Whoever has read `count` bytes at one place says so: now and then all pages are let go, which cost nothing to map again from the system's
    /// cache. From any thread.
    void has_read(std::size_t count) const;
    /// Lets go of the pages of this process.
    void release() const;

  private:
    void map(int fd, const std::filesystem::path& path);

    std::span<const std::byte> bytes_;
    mutable std::atomic<std::size_t> read_ = 0;  ///< bytes since pages were let go, the pages around them counted
};

}  // namespace trainyard::io
