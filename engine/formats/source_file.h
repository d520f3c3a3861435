#pragma once
// A file that is read by place (pread), never mapped: when somebody cuts it short under the reader, that is a sentence and no signal.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace trainyard::formats {

class SourceFile {
  public:
    /// Throws UserError when it is no regular file or cannot be read.
    explicit SourceFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }  ///< when it was opened
    /// Fills `out`. Throws UserError when the file has become shorter. Thread safe.
    void read(std::uint64_t offset, std::span<std::byte> out) const;
    std::vector<std::byte> read(std::uint64_t offset, std::uint64_t bytes) const;
    /// Size and time of last change when it was opened, as text for states.
    const std::string& stamp() const { return stamp_; }

  private:
    std::filesystem::path path_;
    FileDescriptor file_;
    std::uint64_t size_ = 0;
    std::string stamp_;
};

/// Little-endian number at `bytes`, of which there must be enough.
template <class T>
T little_endian(std::span<const std::byte> bytes, std::size_t offset = 0) {
    T value;
    std::memcpy(&value, bytes.subspan(offset, sizeof(T)).data(), sizeof(T));
    return value;
}

}  // namespace trainyard::formats
