// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Data files (engine/formats/tables) as data sets. A sample is a dictionary of the columns: numbers are 0-dim tensors
// of the column's dtype, blocks are tensors of their shape, lists are tensors [n] (lists of texts: lists), texts are
// texts.
//
//     TableDataset     random access; knows its size
//     TableStream      sequential, resumes exactly, ranks may read separate files
//
// A missing value is an error with file, row and column, unless `fill` has a value for the column; in floating-point
// columns it becomes NaN.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/message.h"
#include "data/dataset.h"
#include "formats/tables/table_set.h"

namespace trainyard::data {

/// How files are read, and what replaces missing values.
struct TableOptions {
    formats::ReadOptions read = {};           ///< format, columns, and what is done about corrupt rows
    std::map<std::string, std::string> fill;  ///< column -> replacement of missing values, written as in a CSV file
};

/// The rows of data files in any order. A batch of rows has numbers [rows], blocks [rows, ...], lists of equal length
/// [rows, n], and texts as a list. Several threads may read.
class TableDataset : public Dataset {
  public:
    /// Opens all files and counts their rows (text formats are read once for that, by several threads). With
    /// `read.on_corrupt`, everything is read once here, and corrupt rows are left out; without it, reading a corrupt
    /// row throws.
    explicit TableDataset(std::vector<std::filesystem::path> files, TableOptions options = {});
    /// Returns the number of rows of all files, without corrupt ones that are left out.
    std::int64_t size() const override { return size_; }
    /// Returns a row as a sample.
    Tree get(std::int64_t index) const override;
    /// Returns rows as a batch.
    Tree get_batch(std::span<const std::int64_t> indices) const override;
    /// Returns names and types of the columns.
    const formats::Schema& schema() const { return schema_; }

  private:
    formats::Table take(std::span<const std::int64_t> indices) const;
    void leave_corrupt_rows_out();

    TableOptions options_;
    Message where_;
    formats::Schema schema_;
    std::int64_t size_ = 0;
    std::vector<std::int64_t> readable_;  ///< row of each sample; empty: every row is a sample
    mutable std::mutex mutex_;
    mutable formats::TableSet set_;
};

/// The rows of data files one after the other.
class TableStream : public IterableDataset {
  public:
    /// Opens the first file.
    explicit TableStream(std::vector<std::filesystem::path> files, TableOptions options = {});
    /// Goes to the first row.
    void begin() override;
    /// Returns the next row as a sample; nothing at the end.
    std::optional<Tree> next() override;
    /// Passes over rows. Returns how many there were.
    std::int64_t skip(std::int64_t count) override;
    /// Returns where the stream is, for seek().
    Tree position() const override;
    /// Throws UserError if a file has changed since; see TableSet::restore.
    void seek(const Tree& position) override;
    /// Returns the number of files, which ranks may share.
    std::int64_t part_count() const override { return std::ssize(files_); }
    /// Returns the stream of every `count`th file from the one with this index.
    std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const override;
    /// Returns names and types of the columns.
    const formats::Schema& schema() const { return set_.schema(); }

  private:
    bool read();

    std::vector<std::filesystem::path> files_;
    TableOptions options_;
    formats::TableSet set_;
    formats::TableSet::State piece_begin_;  ///< position of the first row of piece_
    formats::Table piece_;
    std::int64_t given_ = 0;  ///< rows of piece_ that have been returned
};

}  // namespace trainyard::data
