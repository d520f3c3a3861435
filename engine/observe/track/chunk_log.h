// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file of records in the log format of LevelDB (https://github.com/google/leveldb/blob/main/doc/log_format.md) as W&B
// and SwanLab use it: after a head of a few bytes, blocks of 32 KiB with chunks of records, each with the CRC-32 (IEEE,
// not masked) of its kind and bytes. Records are protocol buffers. Inside this library.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/filesystem.h"

namespace trainyard::track {

class ChunkLog {
  public:
    /// Creates the file, or continues after the last whole record that is not the end of the run: one that has the
    /// field `end_field`. Throws UserError.
    ChunkLog(fs::path path, std::string_view head, int end_field);

    /// Number of records in the file.
    std::int64_t count() const { return count_; }
    void add(std::string_view record);
    /// Writes what was added. What could not be written stays for the next try.
    void flush();

  private:
    void append(std::string_view bytes);
    std::size_t end_of_records(std::string_view bytes, std::string_view head, int end_field);

    fs::path path_;
    FileDescriptor file_;
    std::string buffer_;
    std::size_t position_ = 0, written_ = 0;
    std::int64_t count_ = 0;
};

}  // namespace trainyard::track
