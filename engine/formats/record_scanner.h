#pragma once
// Text files cut in records: lines, or CSV records, which may hold line ends between quotes. The file is read in pieces of up to a
// megabyte; only a longer record makes the buffer grow, up to a limit.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/source_file.h"

namespace trainyard::formats {

enum class RecordKind {
    lines,         ///< every line
    filled_lines,  ///< lines that hold more than blanks (JSON)
    csv,           ///< RFC 4180 records; empty lines between them are none
};

class RecordScanner {
  public:
    /// Readable bytes behind every record: what simdjson wants.
    static constexpr std::size_t kPadding = 64;

    /// `file` must outlive the scanner. Records longer than `limit` bytes throw UserError.
    RecordScanner(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin = 0);

    /// Goes to the record that begins at `byte`.
    void seek(std::uint64_t byte);
    /// The next record without its end ("\n" or "\r\n"); false at the end of the file. Valid until the next call.
    bool next(std::string_view& record);
    std::uint64_t record_begin() const { return record_begin_; }  ///< byte of the record given last
    std::uint64_t byte() const { return buffer_begin_ + at_; }    ///< where the next record begins

  private:
    bool fill();
    std::size_t find_end();

    const SourceFile& file_;
    RecordKind kind_;
    std::uint64_t limit_;
    std::vector<char> buffer_;
    std::uint64_t buffer_begin_ = 0;  ///< of buffer_[0] in the file
    std::size_t filled_ = 0;
    std::size_t at_ = 0;
    std::size_t piece_ = 32 << 10;  ///< bytes of the next reading
    std::uint64_t record_begin_ = 0;
};

/// Where the records of a file begin: one place for every 16, found by several threads.
class RecordIndex {
  public:
    /// Reads the whole file from `begin` on.
    RecordIndex(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin, int threads);

    std::int64_t count() const { return count_; }
    /// A record at or before `row` and its first byte. `row` < count().
    struct Place {
        std::int64_t row = 0;
        std::uint64_t byte = 0;
    };
    Place before(std::int64_t row) const;

  private:
    static constexpr std::int64_t kStride = 16;
    struct Chunk {
        std::int64_t first_row = 0;
        std::int64_t rows = 0;
        std::vector<std::uint64_t> places;  ///< of its records 0, 16, 32, ...
    };
    std::vector<Chunk> chunks_;  ///< those with records
    std::int64_t count_ = 0;
};

/// A byte of a file and the number of its line, from 1.
struct LinePlace {
    std::uint64_t byte = 0;
    std::int64_t line = 1;
};
/// The line that byte `byte` is in. Reads the file up to there, from `known` on when that is not behind it.
LinePlace line_of(const SourceFile& file, std::uint64_t byte, const LinePlace& known = {});

}  // namespace trainyard::formats
