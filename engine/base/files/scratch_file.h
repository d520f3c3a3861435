// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory backed by a disk: bytes that only this process needs, and only while it runs, mapped from an unnamed file.
// Nothing is left on the disk, however the process ends. Disk space is reserved on construction, so a full disk is
// reported there.
//
// Access through the mapping costs a page fault for each page, and a journal entry of the file system for each page
// that is written: about 1 GB/s. What is used in every step is moved with read(), write(), load() and store() instead,
// which bypass the page cache (O_DIRECT) where the file system allows it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
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
    /// The begin of a part of a file that is loaded separately, after `count` bytes. Large pages are possible for what
    /// is loaded in multiples of them: bytes() begins at one.
    static std::size_t aligned(std::size_t count);

    ScratchFile() = default;
    /// Creates a file of `count` zeros. `what` names the content in messages: "the optimizer state of rank 1". Throws
    /// UserError with the message above, or if the disk is full.
    ScratchFile(const std::filesystem::path& folder, std::size_t count, const Message& what);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(mapping_), count_}; }

    // `begin` and `end` are bytes. Functions may be called by several threads at a time if what they change shares no
    // page with what the others use.

    /// Copies a range, wherever it is, to memory of the caller. Throws UserError if the disk fails.
    void read(std::size_t begin, std::size_t end, void* to) const;
    void write(std::size_t begin, std::size_t end, const void* from) const;
    /// Moves the pages of a range from the disk into memory, unless they are there. They keep their address. Throws
    /// UserError if the disk fails.
    void load(std::size_t begin, std::size_t end);
    /// Moves the pages of a loaded range back to the disk.
    void store(std::size_t begin, std::size_t end);
    /// Discards the pages of a loaded range: the range has the bytes that are on the disk again.
    void discard(std::size_t begin, std::size_t end);
    /// Whether all of a range is loaded.
    bool in_memory(std::size_t begin, std::size_t end) const;
    /// Unmaps the pages of a range that are not loaded from the process. Their contents stay in the page cache and are
    /// written to the disk from there. A page that two ranges share is unmapped with the last of them.
    void let_go(std::size_t begin, std::size_t end) const;
    void let_go() const { let_go(0, count_); }
    /// To be called after each use of the mapping: throws UserError if pages could not be read or written because the
    /// disk is full or fails.
    void check() const;

  private:
    /// Calls `action(begin, end, loaded)` for the parts of a range.
    template <class Action>
    void each_part(std::size_t begin, std::size_t end, Action action) const;
    /// Applies to whole pages that are not loaded.
    bool in_page_cache(std::size_t begin, std::size_t end) const;
    void read_from_disk(std::size_t begin, std::size_t end, std::byte* to) const;
    void write_to_disk(std::size_t begin, std::size_t end, const std::byte* from) const;
    int direct() const { return direct_ ? direct_.get() : file_.get(); }

    FileDescriptor file_;
    FileDescriptor direct_;  ///< the same file without the page cache; invalid if the file system has no such access
    void* mapping_ = nullptr;
    std::size_t count_ = 0;
    Message lost_;  ///< the message about lost pages
    PageWatch watch_;
    mutable std::mutex mutex_;
    std::map<std::size_t, std::size_t> loaded_;  ///< begin and end of ranges of pages, which do not overlap
};

}  // namespace trainyard::files
