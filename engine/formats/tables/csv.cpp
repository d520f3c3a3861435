// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values (csv_fields.h) as a table.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "formats/tables/cell.h"
#include "formats/tables/csv_fields.h"
#include "formats/tables/record_table.h"

namespace trainyard::formats {

namespace {

constexpr std::string_view kSeparators = ",;\t|";

class CsvTable : public RecordTable {
  public:
    CsvTable(const std::filesystem::path& path, const ReadOptions& options)
        : RecordTable(path, RecordKind::csv, options),
          missing_(options.missing_words.begin(), options.missing_words.end()) {
        for (const std::string& word : options.missing_words)
            longest_missing_ = std::max(longest_missing_, word.size());
        separator_ = options.separator != 0 ? options.separator : path.extension() == ".tsv" ? '\t' : ',';
        finds_separator_ = options.header && options.separator == 0 && separator_ == ',';
        if (separator_ == '"' || separator_ == '\n' || separator_ == '\r')
            throw UserError(
                "the separator of a CSV file is a quote or a line end: choose a comma, ';', '|' or a tabulator");
        read_names();
        infer_types();
        choose_columns();
    }

  private:
    void append(std::string_view record, std::uint64_t byte, Table& table) override {
        split(record, byte);
        // A separator at the end of every line but the first, as some programs write it.
        if (fields_.size() == names_.size() + 1 && fields_.back().text.empty() && !fields_.back().quoted)
            fields_.pop_back();
        if (fields_.size() != names_.size())
            fail(byte, 0, Message("{} fields, the file has {} columns", fields_.size(), names_.size()));
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const CsvField& field = fields_[chosen_[i]];
            Column& column = table.columns[i];
            if (is_missing(field)) {
                column.append_missing();
                continue;
            }
            if (!append_parsed(column, plain(field)))
                fail_type(byte, field, column.field);
            if (!column.missing.empty())
                column.missing.push_back(0);
            ++column.rows;
        }
    }

    [[noreturn]] void fail_type(std::uint64_t byte, const CsvField& field, const Field& wanted) const {
        bool given = options_.types.contains(wanted.name);
        fail(byte + field.begin, 0,
             Message("column '{}' is {} {}, but '{}' does not have that type: {}", wanted.name, name_of(wanted.type),
                     given ? "as was asked for" : Message("by the first {} rows", options_.infer_rows),
                     field.text.substr(0, 40),
                     given ? "correct the value or choose another type"
                           : Message("give its type (types: {{{}: text}}) or infer from more rows", wanted.name)));
    }

    bool is_missing(const CsvField& field) const {
        return !field.quoted && field.text.size() <= longest_missing_ && missing_.contains(field.text);
    }

    std::string_view plain(const CsvField& field) { return plain_text(field, plain_); }

    void split(std::string_view record, std::uint64_t byte) {
        const auto fault = split_csv(record, separator_, fields_);
        if (!fault)
            return;
        const std::int64_t column = column_of(record, fault->at);
        if (fault->is_open)
            fail_for_good(byte + fault->at, column, fault->words);
        fail(byte + fault->at, column, fault->words);
    }

    /// Column, from 1, of the byte `at` in its line of the record.
    static std::int64_t column_of(std::string_view record, std::size_t at) {
        std::size_t newline = record.substr(0, at).rfind('\n');
        return static_cast<std::int64_t>(newline == std::string_view::npos ? at + 1 : at - newline);
    }

    void read_names() {
        std::uint64_t begin = text_begin();
        RecordScanner scanner = scanner_from(begin);
        std::string_view record;
        bool found = scanner.next(record);
        if (found && finds_separator_ && record.size() == 5 && record.starts_with("sep=") &&
            kSeparators.find(record.back()) != std::string_view::npos) {  // written by Excel
            separator_ = record.back();
            begin = scanner.byte();
            found = scanner.next(record);
        } else if (found && finds_separator_) {
            find_separator(record);
        }
        if (!found) {
            if (options_.header && options_.names.empty())
                throw UserError("{} is empty: a CSV file begins with the names of its columns", path().string());
            names_ = options_.names;
            return;
        }
        check_text(record, scanner.record_begin());
        split(record, scanner.record_begin());
        std::set<std::string> seen;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            std::string name = options_.header ? std::string(plain(fields_[i])) : fmt::format("column_{}", i);
            if (name.empty())
                name = fmt::format("Unnamed: {}", i);  // as pandas calls it
            if (!options_.names.empty() && options_.names.size() == fields_.size())
                name = options_.names[i];
            const bool wanted =
                options_.columns.empty() ? !options_.only_readable : std::ranges::count(options_.columns, name) > 0;
            if (!seen.insert(name).second) {
                if (wanted)
                    fail_for_good(scanner.record_begin(), 0,
                                  Message("column '{}' is there twice: give other names", name));
                int copy = 1;
                while (!seen.insert(fmt::format("{}.{}", name, copy)).second)
                    ++copy;
                name += fmt::format(".{}", copy);
            }
            names_.push_back(std::move(name));
        }
        if (!options_.names.empty() && options_.names.size() != names_.size())
            throw UserError("{} has {} columns and {} names were given", path().string(), names_.size(),
                            options_.names.size());
        begin_data(options_.header ? scanner.byte() : begin);
    }

    /// Takes another separator if the first record has no comma, and several fields with the other one.
    void find_separator(std::string_view record) {
        for (const char separator : kSeparators)
            if (!split_csv(record, separator, fields_) && fields_.size() > 1) {
                separator_ = separator;
                return;
            }
    }

    void infer_types() {
        struct Seen {
            bool boolean = true, integer = true, real = true, any = false;
        };
        std::vector<Seen> seen(names_.size());
        first_records([&](std::string_view record, std::uint64_t byte) {
            split(record, byte);
            for (std::size_t i = 0; i < std::min(fields_.size(), seen.size()); ++i) {
                const CsvField& field = fields_[i];
                if (is_missing(field))
                    continue;
                std::int64_t whole = 0;
                double real = 0;
                Seen& column = seen[i];
                column.any = true;
                column.boolean = column.boolean && is_boolean(field.text);
                column.integer = column.integer && parse_integer(field.text, whole);
                column.real = column.real && (column.integer || parse_real(field.text, real));
            }
        });
        for (std::size_t i = 0; i < names_.size(); ++i) {
            auto given = options_.types.find(names_[i]);
            ElementType type = given != options_.types.end() ? given->second
                               : !seen[i].any                ? ElementType::text
                               : seen[i].boolean             ? ElementType::boolean
                               : seen[i].integer             ? ElementType::i64
                               : seen[i].real                ? ElementType::f64
                                                             : ElementType::text;
            schema_.push_back(
                {.name = names_[i], .type = type, .is_assumed = given == options_.types.end() && !seen[i].any});
        }
        for (const auto& [name, type] : options_.types)
            if (std::find(names_.begin(), names_.end(), name) == names_.end())
                throw UserError("{} has no column '{}', whose type was given{}", path().string(), name,
                                text::did_you_mean(name, names_));
    }

    void choose_columns() {
        if (options_.columns.empty()) {
            for (std::size_t i = 0; i < names_.size(); ++i)
                chosen_.push_back(i);
            return;
        }
        Schema wanted;
        for (const std::string& name : options_.columns) {
            auto found = std::find(names_.begin(), names_.end(), name);
            if (found == names_.end())
                throw UserError("{} has no column '{}'{}", path().string(), name, text::did_you_mean(name, names_));
            chosen_.push_back(static_cast<std::size_t>(found - names_.begin()));
            wanted.push_back(schema_[chosen_.back()]);
        }
        schema_ = std::move(wanted);
    }

    char separator_ = ',';
    bool finds_separator_ = false;
    std::set<std::string, std::less<>> missing_;
    std::size_t longest_missing_ = 0;
    std::vector<std::string> names_;   ///< all columns of the file
    std::vector<std::size_t> chosen_;  ///< indices of the file's columns that schema_ contains
    std::vector<CsvField> fields_;     ///< of the current record
    std::string plain_;
};

}  // namespace

std::unique_ptr<TableReader> open_csv(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<CsvTable>(path, options);
}

}  // namespace trainyard::formats
