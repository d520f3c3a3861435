// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Base of text formats: a row is a record of the file, parsed individually.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/message.h"
#include "formats/tables/record_scanner.h"
#include "formats/tables/table_reader.h"

namespace trainyard::formats {

class RecordTable : public TableReader {
  public:
    const std::filesystem::path& path() const override { return file_.path(); }
    const Schema& schema() const override { return schema_; }
    std::int64_t rows() override;
    Table read(std::int64_t first, std::int64_t count) override;
    Table next(std::int64_t count) override;
    Position position() const override { return {scanner_.byte(), row_}; }
    void seek(const Position& position) override;
    std::string stamp() const override { return file_.stamp(); }

  protected:
    RecordTable(const std::filesystem::path& path, RecordKind kind, const ReadOptions& options);
    /// Appends one row to every column of `table` that schema_ contains. `byte`: offset of the record. Throws
    /// CorruptRecord (with fail()) for an invalid record; `table` may then contain part of it.
    virtual void append(std::string_view record, std::uint64_t byte, Table& table) = 0;
    /// Throws CorruptRecord `file:line:column: message`; `column` counts from 1, 0: unknown.
    [[noreturn]] void fail(std::uint64_t byte, std::int64_t column, const Message& message) const;
    /// Throws an error after which reading cannot continue.
    [[noreturn]] void fail_for_good(std::uint64_t byte, std::int64_t column, const Message& message) const;
    /// Calls `see(record, byte)` for the first `options.infer_rows` records. Records that are skipped do not affect the
    /// columns.
    template <class See>
    void first_records(See see) {
        RecordScanner scanner = scanner_from(data_begin_);
        std::string_view record;
        for (std::int64_t row = 0; row < options_.infer_rows && scanner.next(record); ++row)
            try {
                check_text(record, scanner.record_begin());
                see(record, scanner.record_begin());
            } catch (const CorruptRecord&) {
                if (!options_.on_corrupt)
                    throw;
            }
    }
    /// Sets the start of the rows, after the header.
    void begin_data(std::uint64_t byte);
    std::uint64_t text_begin() const { return layout_.begin; }  ///< after the byte order mark
    RecordScanner scanner_from(std::uint64_t byte) const {
        return RecordScanner(file_, kind_, options_.record_limit, byte, layout_.line_end);
    }
    /// Throws CorruptRecord if the record at `byte` is not text in UTF-8.
    void check_text(std::string_view record, std::uint64_t byte) const;

    SourceFile file_;
    RecordKind kind_;
    ReadOptions options_;
    Schema schema_;

  private:
    Message sentence(std::uint64_t byte, std::int64_t column, const Message& message) const;
    bool append_or_leave_out(std::string_view record, Table& table);

    TextLayout layout_;
    std::uint64_t data_begin_ = 0;
    RecordScanner scanner_;
    std::int64_t row_ = 0;
    mutable LinePlace line_;  ///< of the last error, so that lines up to there are not counted again
    std::unique_ptr<RecordIndex> index_;
    std::unique_ptr<RecordScanner> random_;  ///< for read()
};

std::unique_ptr<TableReader> open_text(const std::filesystem::path& path, const ReadOptions& options);
std::unique_ptr<TableReader> open_csv(const std::filesystem::path& path, const ReadOptions& options);
std::unique_ptr<TableReader> open_json_lines(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace trainyard::formats
