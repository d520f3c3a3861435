// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of records in LevelDB's log format (https://github.com/google/leveldb/blob/main/doc/log_format.md) after a head
// of 7 bytes, as Weights & Biases and SwanLab write: blocks of 32 KiB, records in pieces, each with the CRC-32 of its
// type and bytes. The last record waits for its rest; after damage nothing is read, and that is reported.

#include <cstdint>
#include <string>
#include <string_view>

#include "desktop/sources/log_lines.h"

namespace trainyard::desktop {

class ChunkLogTail : public FileTail {
  public:
    /// `head`: the first bytes. `foreign`: the message about a file with others.
    ChunkLogTail(std::filesystem::path file, std::string_view head, Message foreign)
        : FileTail(std::move(file)), head_(head), foreign_(std::move(foreign)) {}

  protected:
    virtual void takeRecord(std::string_view record) = 0;
    /// Reads about `limit_bytes`; returns false if there is more.
    bool readRecords(std::uint64_t limit_bytes);

  private:
    std::size_t takeRecords(std::string_view bytes);
    std::size_t damage(std::size_t at, std::size_t taken);

    const std::string head_;
    const Message foreign_;
};

}  // namespace trainyard::desktop
