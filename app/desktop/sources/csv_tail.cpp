// CSV: see log_lines.h.

#include <limits>
#include <optional>

#include "base/regular_file.h"
#include "desktop/sources/log_columns.h"
#include "desktop/sources/log_lines.h"

namespace trainyard::desktop {

namespace {

char separator_of(std::string_view header) {
    for (const char separator : {',', ';', '\t'})
        if (header.find(separator) != std::string_view::npos)
            return separator;
    return ',';
}

/// The cells of a line; quotes are taken off. `cells` keeps its memory.
void split(std::string_view line, char separator, std::vector<std::string>& cells) {
    std::size_t count = 0;
    const auto next = [&]() -> std::string& {
        if (count == cells.size())
            cells.emplace_back();
        cells[count].clear();
        return cells[count++];
    };
    std::string* cell = &next();
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            *cell += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == separator && !quoted)
            cell = &next();
        else
            *cell += line[i];
    }
    cells.resize(count);
}

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

    bool take(std::string_view line, CurveBatch&) override {
        if (header_.empty()) {
            separator_ = separator_of(line);
            split(line, separator_, header_);
            columns_.emplace(header_);
            return true;
        }
        split(line, separator_, cells_);
        if (cells_.size() > header_.size())
            return false;
        std::int64_t step = this->line() - 1;
        double time = std::numeric_limits<double>::quiet_NaN();
        const auto cell = [&](int column) {
            return column >= 0 && static_cast<std::size_t>(column) < cells_.size()
                       ? std::string_view(cells_[static_cast<std::size_t>(column)])
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
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const int column = static_cast<int>(i);
            if (column == columns_->time || (column == columns_->step && has_step))
                continue;
            if (const auto value = number_of(cells_[i]))
                point(header_[i], step, time, *value);
        }
        return true;
    }

    std::vector<std::string> header_, cells_;
    std::optional<Columns> columns_;
    char separator_ = ',';
};

}  // namespace

std::unique_ptr<LineTail> make_csv_tail(std::filesystem::path file) {
    return std::make_unique<CsvTail>(std::move(file));
}

bool looks_like_csv_metrics(const std::filesystem::path& file) {
    constexpr std::size_t kLooked = 64 * 1024;
    const std::string start = read_head(file, kLooked);
    const std::size_t first = start.find('\n');
    if (first == std::string::npos)
        return false;
    const auto line_of = [&](std::size_t from, std::size_t to) {
        std::string_view line = std::string_view(start).substr(from, to - from);
        return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    };
    const char separator = separator_of(line_of(0, first));
    std::vector<std::string> header, cells;
    split(line_of(0, first), separator, header);
    const Columns columns(header);
    if (header.size() < 2 || (columns.step < 0 && columns.time < 0))
        return false;
    const std::size_t second = start.find('\n', first + 1);
    if (second == std::string::npos)
        return columns.step >= 0;  // a log that has just begun
    split(line_of(first + 1, second), separator, cells);
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (static_cast<int>(i) != columns.step && static_cast<int>(i) != columns.time && number_of(cells[i]))
            return true;
    return false;
}

}  // namespace trainyard::desktop
