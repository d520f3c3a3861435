// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Several files and folders of one format as one table: rows are numbered consecutively, columns must be equal, and
// ranks can shard it.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "formats/tables/table_reader.h"

namespace trainyard::formats {

/// The files that `paths` name, sorted bytewise by path, without duplicates. A path is a file, a glob (`data/*.jsonl`)
/// or a folder, which is searched recursively for names that match `pattern` ("*": extensions of known formats); hidden
/// and empty files are skipped. Throws InvalidInput with every path that is missing, unreadable or matches nothing.
std::vector<std::filesystem::path> find_files(const std::vector<std::string>& paths, const std::string& pattern = "*");

class TableSet {
  public:
    /// Opens every file once to compare the columns, whose order may differ. Types are those that hold the values of
    /// all files: integers become int64 or float64 where they differ; columns of CSV become text. Throws InvalidInput
    /// with all files that cannot be read, and those whose columns are others than the first file's.
    TableSet(std::vector<std::filesystem::path> files, ReadOptions options = {});

    const Schema& schema() const { return schema_; }
    const std::vector<std::filesystem::path>& files() const { return files_; }
    /// Counts all rows (see TableReader::rows).
    std::int64_t rows();
    /// Rows in the requested order; duplicates are allowed. Adjacent rows of a file are read together.
    Table take(std::span<const std::int64_t> rows);

    /// The next rows: at most `count`, from one file; empty at the end. Opens one file at a time.
    Table next(std::int64_t count);

    struct State {
        std::int64_t file = 0;
        Position position;
        std::string stamp;  ///< of that file; empty before its first row
        bool operator==(const State&) const = default;
    };
    State state() const;
    /// Continues at `state`. Throws UserError if the file is missing, has another stamp or is shorter; then nothing has
    /// changed.
    void restore(const State& state);
    void rewind() { restore({}); }

  private:
    TableReader& reader(std::size_t file);
    void count_rows();
    Message differences(const Schema& schema);
    Table arranged(Table table) const;

    std::vector<std::filesystem::path> files_;
    ReadOptions options_;
    Schema schema_;
    std::map<std::string, ElementType> common_types_;    ///< of CSV and JSON columns whose files have different ones
    std::vector<std::unique_ptr<TableReader>> readers_;  ///< for take(); at most kOpenFiles at a time
    std::vector<std::uint64_t> last_use_;
    std::uint64_t uses_ = 0;
    std::vector<std::int64_t> ends_;  ///< number of rows up to the end of each file; empty until they are counted
    std::unique_ptr<TableReader> stream_;
    std::int64_t stream_file_ = 0;
};

}  // namespace trainyard::formats
