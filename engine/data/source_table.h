#pragma once
// Data files (engine/formats) as data sets. A sample is a dictionary of the columns: numbers are tensors of the column's dtype without
// dimensions, blocks tensors of their shape, lists tensors [n] (lists of texts: lists), texts texts.
//
//     TableDataset     any row at any time; knows its size
//     TableStream      from front to back, resumes exactly, ranks may share its files out
//
// A row without a value is an error that names file, row and column, unless `fill` has a value for the column; floating point columns
// have NaN there.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "formats/table_set.h"

namespace trainyard::data {

struct TableOptions {
    formats::ReadOptions read = {};
    std::map<std::string, std::string>
        fill;  ///< column -> value in the place of a missing one, as it would stand in a CSV file
};

/// One row as a sample; all rows as a batch (numbers [rows], blocks [rows, ...], lists of one length [rows, n], texts a list). `where` is
/// for errors.
Tree sample_of(const formats::Table& table, std::int64_t row, const TableOptions& options, const std::string& where);
Tree batch_of(const formats::Table& table, const TableOptions& options, const std::string& where);

class TableDataset : public Dataset {
  public:
    /// Opens all files and counts their rows (text formats are read once for that, by several threads). With `read.on_corrupt` everything
    /// is read once here, and the rows that it was told of are no samples; without it they throw when they are asked for.
    explicit TableDataset(std::vector<std::filesystem::path> files, TableOptions options = {});
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    Tree get_batch(std::span<const std::int64_t> indices) const override;
    const formats::Schema& schema() const { return schema_; }

  private:
    formats::Table take(std::span<const std::int64_t> indices) const;
    void leave_corrupt_rows_out();

    TableOptions options_;
    std::string where_;
    formats::Schema schema_;
    std::int64_t size_ = 0;
    std::vector<std::int64_t> readable_;  ///< row of each sample; empty: all rows are samples
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
    /// Throws UserError when a file was changed since; see TableSet::restore.
    void seek(const Tree& position) override;
    std::int64_t part_count() const override { return std::ssize(files_); }
    std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const override;
    const formats::Schema& schema() const { return set_.schema(); }

  private:
    bool read();

    std::vector<std::filesystem::path> files_;
    TableOptions options_;
    formats::TableSet set_;
    formats::TableSet::State piece_begin_;  ///< where the rows in piece_ began
    formats::Table piece_;
    std::int64_t given_ = 0;  ///< rows of piece_
};

}  // namespace trainyard::data
