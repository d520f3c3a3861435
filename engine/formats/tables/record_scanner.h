// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Splits text files into records: lines, CSV records, which may contain quoted line ends, or the elements of a JSON
// list. Reads up to 1 MB at a time; only a longer record enlarges the buffer, up to a limit.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/tables/source_file.h"

namespace trainyard::formats {

enum class RecordKind {
    lines,         ///< every line
    filled_lines,  ///< lines that contain more than white space (JSON)
    csv,           ///< RFC 4180 records; lines that are empty or have only spaces are skipped
    json_list,     ///< elements of the one list of a JSON file; the first record begins after its '['
};

/// The beginning of a file's text, and the end of its lines.
struct TextLayout {
    std::uint64_t begin = 0;  ///< after the byte order mark
    char line_end = '\n';     ///< '\r' if the file has carriage returns alone; "\r\n" counts as '\n'
};
/// Reads the beginning of the file. Throws UserError if it is in another encoding than UTF-8.
TextLayout text_layout(const SourceFile& file, RecordKind kind);

class RecordScanner {
  public:
    /// Readable bytes after every record, required by simdjson.
    static constexpr std::size_t kPadding = 64;

    /// `file` must outlive the scanner. Throws UserError for records longer than `limit` bytes, and for a list of JSON
    /// that is not closed or has more after its end.
    RecordScanner(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin = 0,
                  char line_end = '\n');

    /// Moves to the record that starts at `byte`.
    void seek(std::uint64_t byte);
    /// The next record without its line end ("\n", "\r\n", or '\r' where that is the file's); false at the end of the
    /// file. Valid until the next call.
    bool next(std::string_view& record);
    std::uint64_t record_begin() const { return record_begin_; }  ///< offset of the last record
    std::uint64_t byte() const { return buffer_begin_ + at_; }    ///< offset of the next record

  private:
    bool fill();
    std::size_t find_end();
    bool next_element(std::string_view& record);
    std::size_t find_filled(std::size_t from);
    void check_size(std::string_view record) const;

    const SourceFile& file_;
    RecordKind kind_;
    std::uint64_t limit_;
    char line_end_;
    std::vector<char> buffer_;
    std::uint64_t buffer_begin_ = 0;  ///< of buffer_[0] in the file
    std::size_t filled_ = 0;
    std::size_t at_ = 0;
    std::size_t piece_ = 32 << 10;  ///< bytes of the next read
    std::uint64_t record_begin_ = 0;
};

/// An index of record offsets: one for every 16 records, built by several threads.
class RecordIndex {
  public:
    /// Reads the whole file from `begin`.
    RecordIndex(const SourceFile& file, RecordKind kind, std::uint64_t limit, std::uint64_t begin, int threads,
                char line_end = '\n');

    std::int64_t count() const { return count_; }
    /// A record at or before `row`, and its offset. Requires `row` < count().
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
        std::vector<std::uint64_t> places;  ///< offsets of its records 0, 16, 32, ...
    };
    std::vector<Chunk> chunks_;  ///< those that contain records
    std::int64_t count_ = 0;
};

/// An offset in a file and its line number, from 1.
struct LinePlace {
    std::uint64_t byte = 0;
    std::int64_t line = 1;
};
/// The line that contains `byte`. Reads the file up to there, starting at `known` if that is not after it.
LinePlace line_of(const SourceFile& file, std::uint64_t byte, const LinePlace& known = {}, char line_end = '\n');

}  // namespace trainyard::formats
