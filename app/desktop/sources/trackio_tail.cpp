// SPDX-License-Identifier: GPL-3.0-or-later
// A project of Trackio: an SQLite file with a row for each logged step. Curves of several runs have the name of their
// run before theirs; the configuration of one run alone is shown.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/regular_file.h"
#include "desktop/sources/foreign_tails.h"
#include "desktop/sources/point_collector.h"
#include "formats/events/tag_table.h"
#include "formats/tables/metrics_record.h"
#include "observe/track/sqlite_file.h"

namespace trainyard::desktop {

namespace {

constexpr const char* kNewRows =
    "SELECT id, run_name, step, metrics, timestamp FROM metrics WHERE id > ? ORDER BY id LIMIT ?";
constexpr const char* kCounts = "SELECT COUNT(DISTINCT run_id), COALESCE(MAX(id), 0) FROM metrics";
constexpr const char* kConfigurations = "SELECT run_name, config FROM configs ORDER BY id";
constexpr const char* kTables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('metrics', 'configs')";

using track::SqliteFile;

constexpr std::string_view kSqliteHead = "SQLite format 3";
constexpr double kPollEvery = 1;  ///< seconds
constexpr std::int64_t kRowsAtOnce = 2000;

std::int64_t integer_of(const SqliteFile::Cell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number == nullptr ? 0 : *number;
}

class TrackioTail final : public MetricsTail {
  public:
    explicit TrackioTail(std::filesystem::path file)
        : file_(std::move(file)), points_(widgets::EarlierStep::RepeatOvertakes) {}

    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override {
        const double now = monotonic_seconds();
        if (all_ && now < next_poll_)
            return true;
        next_poll_ = now + kPollEvery;
        problems_.clear();
        all_ = true;
        try {
            if (database_ == nullptr)
                database_ = std::make_unique<SqliteFile>(file_, SqliteFile::Access::read);
            look(batch);
            for (std::uint64_t bytes = 0; bytes < limit_bytes;) {
                const auto rows = database_->run(kNewRows, {last_, kRowsAtOnce});
                for (const auto& row : rows)
                    bytes += take(row);
                all_ = static_cast<std::int64_t>(rows.size()) < kRowsAtOnce;
                if (all_)
                    break;
            }
        } catch (const UserError& error) {
            problems_.push_back(error.message());
            database_.reset();
        }
        points_.flush(batch, [this](int tag) { return tags_.name(tag); });
        return all_;
    }

    std::vector<Message> problems() const override { return problems_; }

  private:
    /// Runs and the configuration of one.
    void look(CurveBatch& batch) {
        const auto runs = database_->run(kCounts);
        const bool several = integer_of(runs.at(0).at(0)) > 1;
        if (std::exchange(several_, several) != several || integer_of(runs.at(0).at(1)) < last_) {
            last_ = 0;
            points_.drop();
            batch.changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
        }
        const auto configurations = database_->run(kConfigurations);
        ParameterWords words;
        LogLabels labels;
        if (configurations.size() == 1) {
            labels.name = track::cell_text(configurations[0].at(0));
            reader_.read_parameter("", track::cell_text(configurations[0].at(1)), words);
        }
        if (words != words_)
            batch.parameters = words_ = std::move(words);
        if (!(labels == labels_))
            batch.labels = labels_ = std::move(labels);
    }

    /// Returns the size of the row.
    std::uint64_t take(const std::vector<SqliteFile::Cell>& row) {
        last_ = integer_of(row.at(0));
        const std::string values = track::cell_text(row.at(3));
        formats::JsonRecord record;
        reader_.read_field("timestamp", "\"" + track::cell_text(row.at(4)) + "\"", record);
        reader_.read_field("values", values, record);
        for (const auto& [tag, value] : record.numbers)
            points_.add(tags_.number(several_ ? track::cell_text(row.at(1)) + "/" + tag : tag),
                        {integer_of(row.at(2)), record.time.value_or(std::nan("")), value});
        return values.size();
    }

    const std::filesystem::path file_;
    std::unique_ptr<SqliteFile> database_;
    formats::JsonReader reader_;
    events::TagTable tags_;
    PointCollector points_;
    ParameterWords words_;
    LogLabels labels_;
    std::vector<Message> problems_;
    std::int64_t last_ = 0;  ///< id of the last row that was read
    bool several_ = false, all_ = false;
    double next_poll_ = 0;
};

}  // namespace

std::unique_ptr<MetricsTail> make_trackio_tail(std::filesystem::path file) {
    return std::make_unique<TrackioTail>(std::move(file));
}

bool looks_like_trackio(const std::filesystem::path& file) {
    try {
        return read_head(file, kSqliteHead.size()) == kSqliteHead &&
               SqliteFile(file, SqliteFile::Access::read).run(kTables).size() == 2;
    } catch (const UserError&) {
        return false;
    }
}

}  // namespace trainyard::desktop
