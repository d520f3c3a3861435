// SPDX-License-Identifier: GPL-3.0-or-later
// CSV: see log_lines.h.

#include <algorithm>
#include <limits>
#include <optional>

#include "base/utf8.h"
#include "desktop/sources/log_lines.h"
#include "formats/tables/csv_fields.h"
#include "formats/tables/metrics_columns.h"

namespace trainyard::desktop {

using formats::number_of;
using formats::seconds_of;
using formats::step_of;
using formats::step_rank;
using formats::time_rank;

namespace {

char separator_of(std::string_view header) {
    for (const char separator : {',', ';', '\t'})
        if (header.find(separator) != std::string_view::npos)
            return separator;
    return ',';
}

/// The cells of a line; false: its quotes are wrong. What is in the buffers keeps its memory.
class Row {
  public:
    bool split(std::string_view line, char separator) {
        const bool good = !formats::split_csv(line, separator, fields_);
        cells.resize(fields_.size());
        for (std::size_t i = 0; i < fields_.size(); ++i)
            cells[i] = formats::plain_text(fields_[i], buffer_);
        return good;
    }
    std::vector<std::string> cells;

  private:
    std::vector<formats::CsvField> fields_;
    std::string buffer_;
};

/// Which columns hold step and time; -1: none.
struct Columns {
    int step = -1, time = -1;

    explicit Columns(const std::vector<std::string>& header) {
        for (int i = 0; i < static_cast<int>(header.size()); ++i) {
            const auto better = [&](int rank_here, int taken, auto rank) {
                return rank_here >= 0 && (taken < 0 || rank_here < rank(header[static_cast<std::size_t>(taken)]));
            };
            if (better(step_rank(header[static_cast<std::size_t>(i)]), step, step_rank))
                step = i;
            if (better(time_rank(header[static_cast<std::size_t>(i)]), time, time_rank))
                time = i;
        }
    }
};

class CsvTail final : public LineTail {
  public:
    using LineTail::LineTail;

  private:
    void forget() override { header_.clear(); }

    /// Writers that append after a resume begin with another header, which may have more columns.
    static bool isHeader(const std::vector<std::string>& cells) {
        return std::ranges::none_of(cells, [](const std::string& cell) { return cell.empty() || number_of(cell); }) &&
               Columns(cells).step >= 0;
    }

    bool take(std::string_view line, CurveBatch&) override {
        if (header_.empty())
            separator_ = separator_of(line);
        if (!row_.split(line, separator_))
            return false;
        if (header_.empty() || isHeader(row_.cells)) {
            header_ = row_.cells;
            for (std::string& name : header_)
                name = text::to_utf8(name);
            columns_.emplace(header_);
            return true;
        }
        if (row_.cells.size() > header_.size())
            return false;
        const std::vector<std::string>& cells = row_.cells;
        std::int64_t step = this->line() - 1;
        double time = std::numeric_limits<double>::quiet_NaN();
        const auto cell = [&](int column) {
            return column >= 0 && static_cast<std::size_t>(column) < cells.size()
                       ? std::string_view(cells[static_cast<std::size_t>(column)])
                       : std::string_view();
        };
        bool has_step = false;
        if (const auto number = number_of(cell(columns_->step)))
            if (const auto whole = step_of(*number)) {
                step = *whole;
                has_step = true;
            }
        if (const auto number = number_of(cell(columns_->time)))
            time = seconds_of(*number);
        else if (const auto date = seconds_of(cell(columns_->time)))
            time = *date;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const int column = static_cast<int>(i);
            if (column == columns_->time || (column == columns_->step && has_step))
                continue;
            if (const auto value = number_of(cells[i]))
                point(header_[i], step, time, *value);
        }
        return true;
    }

    std::vector<std::string> header_;
    Row row_;
    std::optional<Columns> columns_;
    char separator_ = ',';
};

}  // namespace

std::unique_ptr<MetricsTail> make_csv_tail(std::filesystem::path file) {
    return std::make_unique<CsvTail>(std::move(file));
}

bool looks_like_csv_metrics(const std::filesystem::path& file) {
    const std::string start = read_log_head(file).text;
    const std::size_t first = start.find('\n');
    if (first == std::string::npos)
        return false;
    const auto line_of = [&](std::size_t from, std::size_t to) {
        std::string_view line = std::string_view(start).substr(from, to - from);
        return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    };
    const char separator = separator_of(line_of(0, first));
    Row row;
    if (!row.split(line_of(0, first), separator))
        return false;
    const Columns columns(row.cells);
    if (row.cells.size() < 2 || (columns.step < 0 && columns.time < 0))
        return false;
    const std::size_t second = start.find('\n', first + 1);
    if (second == std::string::npos)
        return columns.step >= 0;  // a log that has just begun
    row.split(line_of(first + 1, second), separator);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
        if (static_cast<int>(i) != columns.step && static_cast<int>(i) != columns.time && number_of(row.cells[i]))
            return true;
    return false;
}

}  // namespace trainyard::desktop
