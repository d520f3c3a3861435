// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The text of a trace: a file, or the content of a compressed one. Compressed files (gzip with any number of members,
// Zstandard) are recognised by their first bytes and decompressed by a thread into an unnamed temporary file, so that
// reading starts at once, memory is bounded, and arguments can be read later. Files are read, not mapped: they may
// shrink or vanish while they are shown.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "base/file_descriptor.h"
#include "base/message.h"

namespace trainyard::traces {

class TraceText {
  public:
    /// Throws UserError naming the path if it is not a regular file or cannot be read.
    explicit TraceText(const std::filesystem::path& path);
    ~TraceText();
    TraceText(const TraceText&) = delete;
    TraceText& operator=(const TraceText&) = delete;

    /// Reads up to `count` bytes at `offset`, waiting for those that are being unpacked. 0: the end. Throws UserError.
    std::size_t read(char* into, std::size_t count, std::uint64_t offset) const;
    std::uint64_t file_bytes() const { return file_bytes_; }
    /// Bytes of the file that have been consumed, for progress.
    std::uint64_t consumed(std::uint64_t read_bytes) const;
    /// Why unpacking ended early; empty where it did not. To be asked after the end.
    Message problem() const;
    const std::filesystem::path& path() const { return path_; }
    bool compressed() const { return compressed_; }
    /// Expected bytes of text.
    std::uint64_t expected_bytes() const { return compressed_ ? file_bytes_ * 12 : file_bytes_; }

  private:
    void unpack();
    Message unpack_gzip();
    Message unpack_zstd();
    /// False: nobody wants more.
    bool give(const char* bytes, std::size_t count);

    std::filesystem::path path_;
    FileDescriptor file_, spool_;
    std::uint64_t file_bytes_ = 0;
    bool compressed_ = false, zstd_ = false;
    mutable std::mutex mutex_;
    mutable std::condition_variable more_;
    std::uint64_t ready_ = 0;  ///< bytes of the spool
    bool done_ = false;
    Message problem_;
    std::atomic<std::uint64_t> consumed_ = 0;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

}  // namespace trainyard::traces
