// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/record_table.h"

#include <stdexcept>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_file.h"

namespace trainyard::formats {

RecordTable::RecordTable(const std::filesystem::path& path, RecordKind kind, const ReadOptions& options)
    : file_(path),
      kind_(kind),
      options_(options),
      layout_(text_layout(file_, kind)),
      data_begin_(layout_.begin),
      scanner_(scanner_from(data_begin_)) {}

void RecordTable::begin_data(std::uint64_t byte) {
    data_begin_ = byte;
    scanner_.seek(byte);
}

std::int64_t RecordTable::rows() {
    if (!index_)
        index_ = std::make_unique<RecordIndex>(file_, kind_, options_.record_limit, data_begin_, options_.threads,
                                               layout_.line_end);
    return index_->count();
}

Table RecordTable::read(std::int64_t first, std::int64_t count) {
    if (first < 0 || count < 0 || first > rows() - count)
        throw std::out_of_range("rows of a table");
    Table table(schema_);
    if (count == 0)
        return table;
    if (!random_)
        random_ = std::make_unique<RecordScanner>(scanner_from(data_begin_));
    RecordIndex::Place place = index_->before(first);
    random_->seek(place.byte);
    std::string_view record;
    for (std::int64_t row = place.row; row < first + count; ++row) {
        if (!random_->next(record))
            throw UserError(
                "{} has fewer rows than when it was counted: it was changed while it was "
                "read",
                path().string());
        if (row < first)
            continue;
        check_text(record, random_->record_begin());
        append(record, random_->record_begin(), table);
        ++table.rows;
    }
    return table;
}

Table RecordTable::next(std::int64_t count) {
    Table table(schema_);
    std::string_view record;
    while (table.rows < count && scanner_.next(record)) {
        if (append_or_leave_out(record, table))
            ++table.rows;
        ++row_;
    }
    return table;
}

/// Returns false if the record was skipped; `table` is then unchanged.
bool RecordTable::append_or_leave_out(std::string_view record, Table& table) {
    try {
        check_text(record, scanner_.record_begin());
        append(record, scanner_.record_begin(), table);
        return true;
    } catch (const CorruptRecord& damage) {
        if (!options_.on_corrupt)
            throw;
        Table whole(schema_);
        whole.append_rows(table, 0, table.rows);
        table = std::move(whole);
        options_.on_corrupt({path(), row_, 1, damage.message()});
        return false;
    }
}

void RecordTable::seek(const Position& position) {
    bool start = position == Position{};
    scanner_.seek(start ? data_begin_ : position.byte);
    row_ = position.row;
}

Message RecordTable::sentence(std::uint64_t byte, std::int64_t column, const Message& message) const {
    line_ = line_of(file_, byte, line_, layout_.line_end);
    return column > 0 ? Message("{}:{}:{}: {}", path().string(), line_.line, column, message)
                      : Message("{}:{}: {}", path().string(), line_.line, message);
}

void RecordTable::check_text(std::string_view record, std::uint64_t byte) const {
    if (const std::optional<text::Fault> fault = text::find_fault(record))
        fail(byte + fault->at, 0, text::describe_fault(*fault, byte));
}

void RecordTable::fail(std::uint64_t byte, std::int64_t column, const Message& message) const {
    throw CorruptRecord(sentence(byte, column, message));
}

void RecordTable::fail_for_good(std::uint64_t byte, std::int64_t column, const Message& message) const {
    throw UserError(sentence(byte, column, message));
}

namespace {

class TextTable : public RecordTable {
  public:
    TextTable(const std::filesystem::path& path, const ReadOptions& options)
        : RecordTable(path, RecordKind::lines, options) {
        schema_ = {{.name = "text", .type = ElementType::text}};
    }

  private:
    void append(std::string_view record, std::uint64_t /*byte*/, Table& table) override {
        table.columns[0].append_text(record);
        ++table.columns[0].rows;
    }
};

}  // namespace

std::unique_ptr<TableReader> open_text(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<TextTable>(path, options);
}

}  // namespace trainyard::formats
