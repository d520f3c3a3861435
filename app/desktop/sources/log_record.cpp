// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/log_record.h"

#include <atomic>

#include "base/clock.h"
#include "desktop/sources/log_lines.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

constexpr std::uint64_t kSlice = 2u << 20;  // bytes
constexpr int kMostInFlight = 2;            // batches that the window has not taken yet
constexpr double kLively = 60;              // seconds after news in which more is expected soon
constexpr int kLivelyPause = 200;           // ms, where inotify is silent
constexpr int kQuietPause = 3000;           // ms
constexpr int kFullPause = 20;              // ms

}  // namespace

/// Holds nothing of the record but its address.
class LogRecord::Reader : public PooledReader {
  public:
    Reader(const std::filesystem::path& place, LogKind kind, widgets::Mailbox::Address address, LogRecord* record)
        : folder_(kind == LogKind::Events ? place : place.parent_path()),
          tail_(make_tail(place, kind)),
          address_(std::move(address)),
          record_(record) {}

    int read() override {
        if (*in_flight_ >= kMostInFlight)
            return kFullPause;
        const double begin = monotonic_seconds();
        CurveBatch batch;
        bool all = false;
        while (!all && monotonic_seconds() - begin < ReadPool::kSlice / 1000.0)
            all = tail_->poll(batch, kSlice);
        std::vector<Message> problems = tail_->problems();
        if (problems != problems_)
            batch.problems = problems_ = std::move(problems);
        if (!batch.empty() || (all && !whole_log_read_)) {
            if (whole_log_read_ && !batch.changes.empty())
                last_news_ = monotonic_seconds();
            whole_log_read_ = whole_log_read_ || all;
            deliver(std::move(batch), whole_log_read_);
        }
        if (!all)
            return 0;
        if (tail_->hasOpenEnd())
            return static_cast<int>(LineTail::kLastLineWaits * 1000) + 10;
        return monotonic_seconds() - last_news_ < kLively ? kLivelyPause : kQuietPause;
    }

    std::vector<std::filesystem::path> watched() const override { return {folder_}; }

  private:
    void deliver(CurveBatch batch, bool caught_up) {
        ++*in_flight_;
        const auto parcel = std::make_shared<const CurveBatch>(std::move(batch));
        address_.post([parcel, caught_up, record = record_, in_flight = in_flight_] {
            --*in_flight;
            record->take(*parcel, caught_up);
        });
    }

    std::filesystem::path folder_;
    std::unique_ptr<MetricsTail> tail_;
    widgets::Mailbox::Address address_;
    LogRecord* record_;  ///< to be touched in what is posted only
    std::shared_ptr<std::atomic<int>> in_flight_ = std::make_shared<std::atomic<int>>(0);
    std::vector<Message> problems_;
    bool whole_log_read_ = false;  ///< that all has been read
    double last_news_ = -1e9;      ///< after that; monotonic seconds
};

LogRecord::LogRecord(std::filesystem::path place, LogKind kind, QString name, int color, QObject* parent)
    : CurveSource(parent),
      place_(std::move(place)),
      kind_(kind),
      name_(std::move(name)),
      color_(color),
      store_(kind == LogKind::Events ? widgets::EarlierStep::Overtakes  // as TensorBoard shows them
                                     : widgets::EarlierStep::RepeatOvertakes) {}

void LogRecord::start() {
    reading_.start([this] { return std::make_shared<Reader>(place_, kind_, mailbox_.address(), this); });
}

void LogRecord::take(const CurveBatch& batch, bool caught_up) {
    const CurveStore::News news = store_.take(batch);
    if (!batch.changes.empty())
        last_news_ = wall_seconds();
    const bool now_caught_up = caught_up && !caught_up_;
    caught_up_ = caught_up_ || caught_up;
    if (news.tags)
        counters_.look(store_);
    if (news.tags || news.labels)
        emit tagsChanged();
    if (news.labels)
        emit labelsChanged();
    if (news.curves)
        emit curvesChanged();
    if (news.media)
        emit mediaChanged();
    if (batch.problems) {
        complaints_.clear();
        for (const Message& problem : *batch.problems)
            complaints_ += qtSentence(problem);
        emit complaintsChanged();
    }
    if (now_caught_up)
        emit caughtUp();
}

QString LogRecord::name() const {
    return store_.labels().name.empty() ? name_ : qt(store_.labels().name);
}

QStringList LogRecord::labels() const {
    QStringList all;
    for (const std::string& label : store_.labels().tags)
        all << qt(label);
    return all;
}

QString LogRecord::note() const {
    return qt(store_.labels().note);
}

QString LogRecord::key() const {
    return qt(place_.string());
}

widgets::XScale LogRecord::scale(widgets::XUnit unit) const {
    widgets::XScale scale;
    scale.unit = unit;
    scale.start = store_.firstTime();
    counters_.fill(scale, store_);
    return scale;
}

}  // namespace trainyard::desktop
