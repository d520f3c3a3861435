#pragma once
// Several files and folders of one format as one table: rows counted through, columns checked to be the same, shared out between ranks.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/table_reader.h"

namespace trainyard::formats {

/// The files that `paths` name, sorted bytewise by path, each once. A path is a file, a glob (`data/*.jsonl`) or a folder, which is
/// searched recursively for names that match `pattern` ("*": those whose ending a format has); hidden and empty ones are left out.
/// Throws InvalidInput with everything that is missing, unreadable or matches nothing.
std::vector<std::filesystem::path> find_files(const std::vector<std::string>& paths, const std::string& pattern = "*");

/// What rank `rank` of `world_size` reads of a streamed set, as Hugging Face's streaming data sets shard it: with files in
/// multiples of the ranks each rank has every world_size-th file whole; otherwise all ranks have all files and keep every
/// world_size-th row. The shards are disjoint and together everything.
struct Shard {
    std::vector<std::filesystem::path> files;
    std::int64_t row_stride = 1;  ///< keeps rows with (row of the set) % row_stride == row_offset
    std::int64_t row_offset = 0;
};
Shard shard_of(const std::vector<std::filesystem::path>& files, int rank, int world_size);

class TableSet {
  public:
    /// Opens every file once to compare the columns. Throws InvalidInput with all that do not fit the first one.
    TableSet(std::vector<std::filesystem::path> files, ReadOptions options = {});

    const Schema& schema() const { return schema_; }
    const std::vector<std::filesystem::path>& files() const { return files_; }
    /// Counts all rows (see TableReader::rows).
    std::int64_t rows();
    /// The rows in the order asked for; repetitions are allowed. Neighbours in a file are read together.
    Table take(std::span<const std::int64_t> rows);

    /// The next rows in order: at most `count`, never of two files; none at the end. Opens one file at a time.
    Table next(std::int64_t count);

    struct State {
        std::int64_t file = 0;
        Position position;
        std::string stamp;  ///< of that file; empty before its first row
        bool operator==(const State&) const = default;
    };
    State state() const;
    /// Goes on there. Throws UserError when the file is missing, has another stamp or is shorter; then nothing has changed.
    void restore(const State& state);
    void rewind() { restore({}); }

  private:
    TableReader& reader(std::size_t file);
    void count_rows();

    std::vector<std::filesystem::path> files_;
    ReadOptions options_;
    Schema schema_;
    std::vector<std::unique_ptr<TableReader>> readers_;  ///< for take(); at most kOpenFiles at a time
    std::vector<std::uint64_t> last_use_;
    std::uint64_t uses_ = 0;
    std::vector<std::int64_t> ends_;  ///< rows up to the end of each file; empty before they were counted
    std::unique_ptr<TableReader> stream_;
    std::int64_t stream_file_ = 0;
};

}  // namespace trainyard::formats
