#pragma once
// A file mapped for reading. Its spans stay valid as long as the object lives; changes to them stay in this process.

#include <cstddef>
#include <filesystem>
#include <span>

namespace trainyard::legacy {

class MappedFile {
  public:
    /// Throws UserError naming the path when it is no regular file or cannot be read.
    explicit MappedFile(std::filesystem::path path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
};

/// These bytes of a file mapped for reading are not needed again soon: their memory goes back to the system. They can still be read.
void release_pages(std::span<const std::byte> part);

}  // namespace trainyard::legacy
