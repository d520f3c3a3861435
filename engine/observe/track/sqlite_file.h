// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A SQLite database. The library is loaded when the first database is opened. Inside this library.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/filesystem.h"

namespace trainyard::track {

class SqliteFile {
  public:
    /// Bytes are stored as a BLOB, texts as TEXT.
    struct Bytes {
        std::string content;
    };
    using Cell = std::variant<std::monostate, std::int64_t, std::string, Bytes>;

    enum class Access { write, read };
    /// To write: opens or creates it, in WAL mode. Other processes may have it open. Throws UserError.
    explicit SqliteFile(const fs::path& path, Access access = Access::write);
    ~SqliteFile();
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    /// Runs one statement and returns its rows. Throws UserError.
    std::vector<std::vector<Cell>> run(const std::string& statement, const std::vector<Cell>& values = {});

  private:
    struct Handle;
    [[noreturn]] void fail(int code) const;

    fs::path path_;
    Access access_;
    std::unique_ptr<Handle> handle_;
};

/// The text of a cell, also of bytes; empty for others.
std::string cell_text(const SqliteFile::Cell& cell);

}  // namespace trainyard::track
