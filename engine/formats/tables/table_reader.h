// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the rows of one file in any format: with random access, or sequentially with a position to resume from. Nothing
// is cached; the memory is bounded by the requested rows (and one row group of a Parquet file).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "formats/tables/table.h"

namespace trainyard::formats {

/// A record that violates its format or does not fit its column. The records after it can still be read.
class CorruptRecord : public UserError {
  public:
    using UserError::UserError;
};

/// Rows that next() skipped.
struct CorruptRows {
    std::filesystem::path file;
    std::int64_t first = 0;  ///< index in the file, from 0
    std::int64_t count = 1;  ///< a damaged row group of Parquet or record batch of Arrow is skipped as a whole
    Message message;         ///< a sentence with the file and the line, or the rows
};

struct ReadOptions {
    std::string format = {};                ///< empty: by the file's name (format_of())
    std::vector<std::string> columns = {};  ///< requested columns, in this order; empty: all
    /// Leaves out columns that cannot be read (of a type that is not supported, or with the name of another one),
    /// instead of refusing the file.
    bool only_readable = false;
    /// CSV and JSON: types of columns, instead of inferring them.
    std::map<std::string, ElementType> types = {};
    char separator = 0;  ///< CSV; 0: tab for .tsv, else by the first line: comma, or ';', tab or '|' if it has no comma
    bool header = true;  ///< CSV: the first record contains the names; else they are column_0, column_1, ...
    std::vector<std::string> names =
        {};  ///< CSV: names that replace those of the header (which is then skipped if `header`)
    /// CSV: texts that mean a missing value, those of pandas. Quoted text is never missing.
    std::vector<std::string> missing_words = {"",     "NA",     "N/A",     "NaN",     "nan",     "null",     "NULL",
                                              "None", "n/a",    "<NA>",    "#NA",     "#N/A",    "#N/A N/A", "-NaN",
                                              "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"};
    std::int64_t infer_rows = 1000;           ///< CSV and JSON: number of rows that types are inferred from
    std::uint64_t record_limit = 64 << 20;    ///< maximum bytes of a line or record; a longer one is an error
    bool bytes_are_text = false;              ///< Parquet and Arrow: columns of bytes must be text in UTF-8, too
    std::uint64_t memory_limit = 4ull << 30;  ///< bytes that a Parquet or Arrow file may use while it is decoded
    int threads = 0;                          ///< for counting the rows of a text file; 0: one per processor, at most 8
    /// If set, next() skips rows that cannot be read and reports them here. Otherwise, and always in read(), they throw
    /// CorruptRecord. An unclosed CSV quote always throws, because the start of the next record is unknown.
    std::function<void(const CorruptRows&)> on_corrupt = {};
};

/// A reader's position, which checkpoints save: with the same file, reading continues at exactly the next row.
struct Position {
    std::uint64_t byte = 0;  ///< offset, for text formats
    std::int64_t row = 0;
    bool operator==(const Position&) const = default;
};

class TableReader {
  public:
    virtual ~TableReader() = default;
    virtual const std::filesystem::path& path() const = 0;
    virtual const Schema& schema() const = 0;

    /// Number of rows. Text formats read the whole file in the first call (in parallel, storing one offset per 16
    /// rows).
    virtual std::int64_t rows() = 0;
    /// Rows `first` .. `first + count`, which must exist (std::out_of_range). Throws UserError with the file, the line
    /// or row, and the column that cannot be read.
    virtual Table read(std::int64_t first, std::int64_t count) = 0;

    /// At most `count` further rows; an empty table at the end.
    virtual Table next(std::int64_t count) = 0;
    virtual Position position() const = 0;
    /// Continues at `position`. Throws UserError if the file is shorter.
    virtual void seek(const Position& position) = 0;
    /// Size in bytes and modification time; a state saved with another stamp belongs to another file.
    virtual std::string stamp() const = 0;
};

/// "text", "json_lines", "csv", "parquet", "arrow", "numpy", "safetensors", by the extension: .txt .md .pod ..., .jsonl
/// .ndjson .json, .csv .tsv, .parquet, .arrow .feather .ipc, .npy .npz, .safetensors. Empty for any other.
std::string format_by_ending(const std::filesystem::path& path);
/// The same. Throws UserError with the known extensions for any other.
std::string format_of(const std::filesystem::path& path);

/// Opens a file for reading. Throws UserError.
///   text         one column `text`: the lines, without their ends ("\n" or "\r\n")
///   json_lines   one object per line, or one list of objects; members of nested objects are columns `outer.inner`
///   csv          RFC 4180
///   parquet, arrow   with the plug-in (see arrow_plugin.h)
///   numpy        .npy: one column `array`; .npz: one column per array; rows are the first dimension
///   safetensors  one column per tensor; rows are dimension 0, which must be equal for all
std::unique_ptr<TableReader> open_table(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace trainyard::formats
