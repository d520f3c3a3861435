// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads logs with one record per line as batches while they grow. An incomplete last line is read when its end arrives,
// or after some seconds. For reading threads.
//
// JSONL: one object per line; numbers are curves, nested keys are joined with `/`, other values are ignored. The step
// is the first of `step`, `_step`, `global_step`, `iteration`, `iter` or an integer `epoch` that exists, else the line
// number; the time is `wall_time`, `time`, `timestamp` or `_timestamp` (seconds or milliseconds since 1970, or ISO
// 8601). NaN and Infinity as written by Python are accepted. In files of our own tracker, `values` holds the curves,
// `configuration` the parameters, and `restart` marks a restart. A line with a list has events of ClearML: its scalars
// are curves `variant/metric`, its single values the parameters `summary/...`.
// CSV: a header, then rows; columns as above; empty cells and words are ignored. Separated by comma, semicolon or tab.
// Both: lines end with a line feed, with or without a carriage return, or with carriage returns alone; a byte order
// mark is skipped. UTF-16 is not supported, and problems() reports it.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/growing_file.h"
#include "base/message.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/sources/point_collector.h"
#include "formats/events/tag_table.h"

namespace trainyard::desktop {

/// One file that grows, of any format.
class FileTail : public MetricsTail {
  public:
    explicit FileTail(std::filesystem::path file)
        : file_(std::move(file)), points_(widgets::EarlierStep::RepeatOvertakes) {}
    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override;
    std::vector<Message> problems() const override;

  protected:
    /// Reads new data; returns false if there is more. Sets problem_ if reading fails.
    virtual bool readOn(CurveBatch& batch, std::uint64_t limit_bytes) = 0;
    /// The file was replaced or became shorter: everything reported so far is discarded.
    virtual void beginAgain(CurveBatch& batch);
    void point(std::string_view tag, std::int64_t step, double wall_time, double value) {
        points_.add(tags_.number(tag), {step, wall_time, value});
    }
    void flush(CurveBatch& batch);

    files::GrowingFile file_;
    Message problem_;
    bool was_there_ = false;

  private:
    events::TagTable tags_;
    PointCollector points_;
    bool missing_ = false;
};

class LineTail : public FileTail {
  public:
    static constexpr std::size_t kLongestLine = 4u << 20;  // bytes; longer lines are skipped
    static constexpr double kLastLineWaits = 3;            // seconds

    using FileTail::FileTail;
    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override;
    std::vector<Message> problems() const override;
    bool hasOpenEnd() const override { return open_since_ > 0; }

  protected:
    /// Parses one line. Returns false if it cannot be read. The line has no line break, and kPadding readable bytes
    /// after it.
    virtual bool take(std::string_view line, CurveBatch& batch) = 0;
    virtual void forget() {}  ///< the file is read again from its start

    static constexpr std::size_t kPadding = 64;
    std::int64_t line() const { return line_; }  ///< number of this line, from 1

  private:
    bool readOn(CurveBatch& batch, std::uint64_t limit_bytes) override;
    void beginAgain(CurveBatch& batch) override;
    void takeLine(std::string_view line, CurveBatch& batch);
    std::size_t takeLines(std::string_view bytes, bool last_too, CurveBatch& batch);
    /// Detects the encoding from the first bytes of the file. Returns false if the file cannot be read, see problem_.
    bool judgeEncoding(std::string_view bytes);

    std::int64_t line_ = 0;
    bool waited_ = false;         ///< for the rest of the last line, and it did not arrive
    bool skipping_ = false;       ///< inside a line that exceeds the limit
    bool took_open_end_ = false;  ///< the last line was taken without its line break
    double open_since_ = 0;       ///< monotonic seconds; 0: no open end
    char line_end_ = '\n';
    std::int64_t unreadable_ = 0, first_unreadable_ = 0;
    std::int64_t first_foreign_ = 0;  ///< first line that is not UTF-8; 0: none
};

/// The first 64 KB of a text as UTF-8 with line feeds, without its byte order mark. `whole`: this is the whole file.
struct LogHead {
    std::string text;
    bool whole = false;
};
LogHead read_log_head(const std::filesystem::path& file);

std::unique_ptr<MetricsTail> make_jsonl_tail(std::filesystem::path file);
std::unique_ptr<MetricsTail> make_csv_tail(std::filesystem::path file);

/// Whether the first 64 KB of a file look like metrics: a step, an epoch or a time, and other numbers.
bool looks_like_jsonl_metrics(const std::filesystem::path& file);
bool looks_like_csv_metrics(const std::filesystem::path& file);

}  // namespace trainyard::desktop
