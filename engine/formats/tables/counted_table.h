// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Base of readers that know their number of rows: sequential reading is reading from a position.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/tables/source_file.h"
#include "formats/tables/table_reader.h"

namespace trainyard::formats {

class CountedTable : public TableReader {
  public:
    const std::filesystem::path& path() const override { return file_.path(); }
    const Schema& schema() const override { return schema_; }
    std::int64_t rows() override { return rows_; }
    Table read(std::int64_t first, std::int64_t count) override {
        if (first < 0 || count < 0 || first > rows_ - count)
            throw std::out_of_range("rows of a table");
        Table table(schema_);
        if (count > 0)
            append(table, first, count);
        return table;
    }
    Table next(std::int64_t count) override {
        std::int64_t given = std::min(count, rows_ - row_);
        Table table = read(row_, given);
        row_ += given;
        return table;
    }
    Position position() const override { return {0, row_}; }
    void seek(const Position& position) override {
        if (position.row < 0 || position.row > rows_)
            throw UserError(
                "{} has {} rows, but reading would continue at row {}: the position belongs to another file",
                path().string(), rows_, position.row);
        row_ = position.row;
    }
    std::string stamp() const override { return file_.stamp(); }

  protected:
    explicit CountedTable(const std::filesystem::path& path) : file_(path) {}
    /// Appends these rows, which exist, to every column and to the table's row count.
    virtual void append(Table& table, std::int64_t first, std::int64_t count) = 0;

    SourceFile file_;
    Schema schema_;
    std::int64_t rows_ = 0;

  private:
    std::int64_t row_ = 0;
};

std::unique_ptr<TableReader> open_npy(const std::filesystem::path& path, const ReadOptions& options);
std::unique_ptr<TableReader> open_npz(const std::filesystem::path& path, const ReadOptions& options);
std::unique_ptr<TableReader> open_safetensors(const std::filesystem::path& path, const ReadOptions& options);
/// Parquet and Arrow, with the plug-in.
std::unique_ptr<TableReader> open_arrow(const std::filesystem::path& path, bool is_parquet, const ReadOptions& options);
/// The whole file as one row with a column `text`.
std::unique_ptr<TableReader> open_whole_text(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace trainyard::formats
