#pragma once
// One file of rows, whatever its format: from any place on, or in order with a place to go on from later. Nothing is kept of what was
// read; memory is bounded by what was asked for (and one row group of a Parquet file).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "formats/table.h"

namespace trainyard::formats {

/// A record that is there and is not what its format or its column wants; the records behind it can still be read.
class CorruptRecord : public UserError {
  public:
    using UserError::UserError;
};

/// Rows that next() left out.
struct CorruptRows {
    std::filesystem::path file;
    std::int64_t first = 0;  ///< row of the file, from 0
    std::int64_t count = 1;  ///< a row group of Parquet or a batch of Arrow is damaged as a whole
    std::string message;     ///< one sentence that names the file and the line, or the rows
};

struct ReadOptions {
    std::string format = {};                ///< empty: by the file's name (see format_of)
    std::vector<std::string> columns = {};  ///< which, in this order; empty: all
    /// CSV and JSON: types of columns where the inferred ones are not wanted.
    std::map<std::string, ElementType> types = {};
    char separator = 0;  ///< CSV; 0: comma, or a tabulator for .tsv
    bool header = true;  ///< CSV: the first record has the names; else they are column_0, column_1, ...
    std::vector<std::string> names =
        {};  ///< CSV: names instead of those of the header (which is then skipped when `header`)
    /// CSV: what stands for "no value". Quoted text is never missing.
    std::vector<std::string> missing_words = {"", "NA", "N/A", "NaN", "nan", "null", "NULL"};
    std::int64_t infer_rows = 1000;           ///< CSV and JSON: rows that the types are inferred from
    std::uint64_t record_limit = 64 << 20;    ///< bytes of the longest line or record; a longer one is an error
    std::uint64_t memory_limit = 4ull << 30;  ///< bytes that a Parquet or Arrow file may claim while it is decoded
    int threads = 0;                          ///< that count the rows of a text file; 0: one per processor, at most 8
    /// Given, next() leaves out rows that cannot be read and tells of them here, whenever it meets them. Without it, and in read(), they
    /// throw CorruptRecord. A CSV quote that is never closed throws always: nobody knows where the next record begins.
    std::function<void(const CorruptRows&)> on_corrupt = {};
};

/// Where a reader stands. Kept in checkpoints: the same file goes on at exactly the next row.
struct Position {
    std::uint64_t byte = 0;  ///< of text formats
    std::int64_t row = 0;
    bool operator==(const Position&) const = default;
};

class TableReader {
  public:
    virtual ~TableReader() = default;
    virtual const std::filesystem::path& path() const = 0;
    virtual const Schema& schema() const = 0;

    /// Rows of the file. Text formats read the whole file when asked first (in parallel, keeping one number for 16 rows);
    /// the others know.
    virtual std::int64_t rows() = 0;
    /// Rows `first` .. `first + count`, which must be there (std::out_of_range). Throws UserError naming the file, the line or row
    /// and the column of what cannot be read.
    virtual Table read(std::int64_t first, std::int64_t count) = 0;

    /// At most `count` further rows; a table of no rows at the end.
    virtual Table next(std::int64_t count) = 0;
    virtual Position position() const = 0;
    /// Goes on there. Throws UserError when the file is shorter.
    virtual void seek(const Position& position) = 0;
    /// Size in bytes and time of last change; a state that was saved with another stamp is of another file.
    virtual std::string stamp() const = 0;
};

/// "text", "json_lines", "csv", "parquet", "arrow", "numpy", "safetensors"; by the ending: .txt .md .pod ..., .jsonl .ndjson, .csv .tsv,
/// .parquet, .arrow .feather .ipc, .npy .npz, .safetensors. Throws UserError naming the endings when it is none of them.
std::string format_of(const std::filesystem::path& path);

/// Opens a file for reading. Throws UserError.
///   text         one column `text`: the lines, without their ends ("\n" or "\r\n")
///   json_lines   one object a line; members of objects inside are columns `outer.inner`
///   csv          RFC 4180
///   parquet, arrow   through the plug-in (see arrow_plugin.h)
///   numpy        .npy: one column `array`; .npz: one column per array; rows are the first dimension
///   safetensors  one column per tensor; rows are the first dimension, which all must share
std::unique_ptr<TableReader> open_table(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace trainyard::formats
