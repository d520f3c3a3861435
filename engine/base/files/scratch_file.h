// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory backed by a disk: bytes that only this process needs, and only while it runs, mapped from an unnamed file.
// Nothing is left on the disk, however the process ends. Disk space is reserved on construction, so a full disk is
// reported there.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/file_descriptor.h"
#include "base/files/lost_pages.h"
#include "base/message.h"

namespace trainyard::files {

/// Returns why a scratch file cannot be created in a folder (it does not exist, is not a folder, or is not writable),
/// or an empty message.
Message why_no_scratch_file(const std::filesystem::path& folder);

/// Returns why the disk of a folder has no room for `count` bytes of `what`, or an empty message; also where the
/// room is unknown.
Message why_no_room(const std::filesystem::path& folder, std::uint64_t count, const Message& what);

class ScratchFile {
  public:
    ScratchFile() = default;
    /// Creates a file of `count` zeros. `what` names the content in messages: "the optimizer state of rank 1". Throws
    /// UserError with the message above, or if the disk is full.
    ScratchFile(const std::filesystem::path& folder, std::size_t count, const Message& what);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(mapping_), count_}; }

    // All of these round to pages; `begin` and `end` are bytes. A page that two ranges share is released only when the
    // last of them releases it.

    /// Reads a range that will be written, and maps its pages. Throws UserError if the disk fails.
    void fetch(std::size_t begin, std::size_t end) const;
    /// Starts reading a range into the page cache. Best effort; does not wait.
    void read_ahead(std::size_t begin, std::size_t end) const;
    /// Unmaps these pages from the process. Their contents stay in the page cache and are written to the disk from
    /// there.
    void let_go(std::size_t begin, std::size_t end) const;
    void let_go() const { let_go(0, count_); }
    /// Starts writing changed pages to the disk.
    void begin_write(std::size_t begin, std::size_t end) const;
    /// Waits until the pages are written, and drops them from the page cache.
    void finish_write(std::size_t begin, std::size_t end) const;
    /// To be called after each use: throws UserError if pages could not be read or written because the disk is full or
    /// fails.
    void check() const;

  private:
    std::size_t last_page_of(std::size_t end) const;
    FileDescriptor file_;
    void* mapping_ = nullptr;
    std::size_t count_ = 0;
    Message lost_;  ///< the message about lost pages
    PageWatch watch_;
};

}  // namespace trainyard::files
