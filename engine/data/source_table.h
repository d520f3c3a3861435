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

struct TableOptions {
    formats::ReadOptions read = {};
    std::map<std::string, std::string> fill;  ///< column -> replacement of missing values, written as in a CSV file
};

/// One row as a sample; all rows as a batch (numbers [rows], blocks [rows, ...], lists of equal length [rows, n], texts
/// as a list). `where` is used in errors.
Tree sample_of(const formats::Table& table, std::int64_t row, const TableOptions& options, const Message& where);
Tree batch_of(const formats::Table& table, const TableOptions& options, const Message& where);

class TableDataset : public Dataset {
  public:
    /// Opens all files and counts their rows (text formats are read once for that, by several threads). With
    /// `read.on_corrupt`, everything is read once here, and corrupt rows are left out; without it, reading a corrupt
    /// row throws.
    explicit TableDataset(std::vector<std::filesystem::path> files, TableOptions options = {});
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    Tree get_batch(std::span<const std::int64_t> indices) const override;
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

class TableStream : public IterableDataset {
  public:
    explicit TableStream(std::vector<std::filesystem::path> files, TableOptions options = {});
    void begin() override;
    std::optional<Tree> next() override;
    std::int64_t skip(std::int64_t count) override;
    Tree position() const override;
    /// Throws UserError if a file has changed since; see TableSet::restore.
    void seek(const Tree& position) override;
    std::int64_t part_count() const override { return std::ssize(files_); }
    std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const override;
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
