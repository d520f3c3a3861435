#pragma once
// Memory that lies on a disk: bytes that this process alone needs and while it runs, mapped from a file without a name. Nothing of it is left behind, however
// the process ends. Its place on the disk is taken when it is made, so that a full disk is told there.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/file_descriptor.h"
#include "base/files/lost_pages.h"
#include "base/message.h"

namespace trainyard::files {

/// Why no such file can be made in a folder, as a sentence: it does not exist, is no folder, or cannot be written. Empty: it can.
Message why_no_scratch_file(const std::filesystem::path& folder);

class ScratchFile {
  public:
    ScratchFile() = default;
    /// Zeros. `what` is in it, for messages: "the optimizer state of rank 1". Throws UserError with the sentence above, or that the disk has no room.
    ScratchFile(const std::filesystem::path& folder, std::size_t count, const std::string& what);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(mapping_), count_}; }

    // All of these round to pages; `begin` and `end` are bytes. A page at the end of a range that others share is theirs until the last of them lets go of it.

    /// Reads a range that will be written, and maps its pages. Throws UserError where the disk fails.
    void fetch(std::size_t begin, std::size_t end) const;
    /// The process has none of these pages any more; what they hold is in the page cache, and from there comes to the disk.
    void let_go(std::size_t begin, std::size_t end) const;
    void let_go() const { let_go(0, count_); }
    /// Begins to write what was changed to the disk.
    void begin_write(std::size_t begin, std::size_t end) const;
    /// Waits until it is there, and gives up its pages in the page cache, too.
    void finish_write(std::size_t begin, std::size_t end) const;
    /// Behind a use: throws UserError if pages could not be read, or were not written, because the disk is full or fails.
    void check() const;

  private:
    std::size_t last_page_of(std::size_t end) const;
    FileDescriptor file_;
    void* mapping_ = nullptr;
    std::size_t count_ = 0;
    Message lost_;  ///< the sentence about pages that are gone
    PageWatch watch_;
};

}  // namespace trainyard::files
