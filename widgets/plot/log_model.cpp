// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_model.h"

#include <algorithm>
#include <numeric>

#include <QElapsedTimer>

#include "widgets/timers.h"

namespace trainyard::widgets {

namespace {
constexpr int kSlice = 8;         // ms
constexpr int kDay = 86'400'000;  // ms
constexpr std::size_t kLinesBetweenLooks = 512;
constexpr std::size_t kLinesBetweenLooksOfExpressions = 16;  // one may take a tenth of a millisecond

std::string with_rank(int rank, std::string_view text) {
    return (rank < 0 ? std::string("supervisor") : "r" + std::to_string(rank)).append("  ").append(text);
}
}  // namespace

std::string LogSnapshot::text(std::size_t row) const {
    const std::size_t line = all_ ? row : rows_[row];
    return with_rank(store_.line(line).rank, store_.text(line));
}

LogModel::LogModel(QObject* parent) : QAbstractTableModel(parent) {
    act_every(timer_, 0, this, &LogModel::lookSlice);
}

void LogModel::append(std::shared_ptr<const LogBlock> block) {
    const int added = static_cast<int>(block->lines.size());
    // The live lines point into the block that is newest now.
    if (!live_.empty()) {
        beginRemoveRows({}, shown_, shown_ + static_cast<int>(live_.size()) - 1);
        live_.clear();
        endRemoveRows();
    }
    const bool direct = !has_rows_ && block->folds.empty();
    if (direct && added > 0)
        beginInsertRows({}, shown_, shown_ + added - 1);
    const std::vector<std::uint32_t> vanished = store_.append(std::move(block));
    if (direct && added > 0) {
        shown_ += added;
        endInsertRows();
    }
    if (!direct) {
        removeLines(vanished);
        timer_.start();
    }
    if (!search_.empty())
        timer_.start();
    refreshLive();
    if (added > 0)
        emit countChanged();
}

void LogModel::removeLines(const std::vector<std::uint32_t>& lines) {
    if (!has_rows_) {
        // From now on rows are not lines any more.
        rows_.resize(static_cast<std::size_t>(shown_));
        std::iota(rows_.begin(), rows_.end(), 0u);
        has_rows_ = true;
        if (!search_.empty() && looked_at_ < rows_.size()) {
            hidden_ = lines;
            beginAgain();
            return;
        }
        looked_at_ = rows_.size();
    }
    for (std::uint32_t line : lines) {
        hidden_.insert(std::upper_bound(hidden_.begin(), hidden_.end(), line), line);
        const auto at = std::lower_bound(rows_.begin(), rows_.end(), line);
        if (at == rows_.end() || *at != line)
            continue;
        const int row = static_cast<int>(at - rows_.begin());
        beginRemoveRows({}, row, row);
        rows_.erase(at);
        --shown_;
        const auto gone = std::lower_bound(found_.begin(), found_.end(), static_cast<std::uint32_t>(row));
        auto later = gone;
        if (gone != found_.end() && *gone == static_cast<std::uint32_t>(row))
            later = found_.erase(gone);
        std::for_each(later, found_.end(), [](std::uint32_t& other) { --other; });
        endRemoveRows();
    }
}

void LogModel::clear() {
    beginResetModel();
    timer_.stop();
    store_.clear();
    live_.clear();
    rows_.clear();
    hidden_.clear();
    found_.clear();
    has_rows_ = !filter_.passesAll();
    looked_at_ = 0;
    shown_ = 0;
    endResetModel();
    emit countChanged();
    emit foundChanged();
}

void LogModel::setFilter(const LogFilter& filter) {
    filter_ = filter;
    beginAgain();
}

void LogModel::beginAgain() {
    beginResetModel();
    live_.clear();
    rows_.clear();
    found_.clear();
    looked_at_ = 0;
    has_rows_ = !filter_.passesAll() || !hidden_.empty();
    shown_ = has_rows_ ? 0 : static_cast<int>(store_.size());
    for (const LiveLine& line : store_.live())
        if (passes(line))
            live_.push_back(&line);
    endResetModel();
    if (has_rows_ || !search_.empty()) {
        timer_.start();
        return;
    }
    timer_.stop();
    emit countChanged();
    emit foundChanged();
}

void LogModel::setSearch(const LogPattern& pattern) {
    search_ = pattern;
    found_.clear();
    if (!has_rows_) {
        looked_at_ = 0;
        search_.empty() ? timer_.stop() : timer_.start();
    } else if (search_.empty()) {
        emit foundChanged();
        return;
    } else {
        beginAgain();
        return;
    }
    emit foundChanged();
}

bool LogModel::isHidden(std::size_t line) const {
    return !hidden_.empty() && std::binary_search(hidden_.begin(), hidden_.end(), static_cast<std::uint32_t>(line));
}

void LogModel::lookSlice() {
    QElapsedTimer clock;
    clock.start();
    const std::size_t look =
        filter_.pattern.isExpression() || search_.isExpression() ? kLinesBetweenLooksOfExpressions : kLinesBetweenLooks;
    const bool finds = !search_.empty();
    const std::size_t found_before = found_.size();
    std::vector<std::uint32_t> passed;
    while (looked_at_ < store_.size()) {
        const std::string_view text = store_.text(looked_at_);
        if (!has_rows_ || (!isHidden(looked_at_) && filter_.matches(store_.line(looked_at_), text))) {
            if (finds && search_.found(text))
                found_.push_back(static_cast<std::uint32_t>(has_rows_ ? rows_.size() + passed.size() : looked_at_));
            if (has_rows_)
                passed.push_back(static_cast<std::uint32_t>(looked_at_));
        }
        if (++looked_at_ % look == 0 && clock.elapsed() >= kSlice)
            break;
    }
    if (looked_at_ == store_.size())
        timer_.stop();
    if (!passed.empty()) {
        beginInsertRows({}, shown_, shown_ + static_cast<int>(passed.size()) - 1);
        rows_.insert(rows_.end(), passed.begin(), passed.end());
        shown_ = static_cast<int>(rows_.size());
        endInsertRows();
    }
    emit countChanged();
    if (found_.size() != found_before || !timer_.isActive())
        emit foundChanged();
}

int LogModel::nextFound(int row, bool down) const {
    if (found_.empty())
        return -1;
    const auto at = static_cast<std::uint32_t>(std::max(row, 0));
    if (down) {
        const auto next = row < 0 ? found_.begin() : std::upper_bound(found_.begin(), found_.end(), at);
        return static_cast<int>(next == found_.end() ? found_.front() : *next);
    }
    const auto next = std::lower_bound(found_.begin(), found_.end(), at);
    return static_cast<int>(row < 0 || next == found_.begin() ? found_.back() : *(next - 1));
}

bool LogModel::passes(const LiveLine& live) const {
    LogLine line;
    line.rank = static_cast<std::int16_t>(live.rank);
    return filter_.matches(line, live.line.text);
}

void LogModel::refreshLive() {
    std::vector<const LiveLine*> now;
    for (const LiveLine& line : store_.live())
        if (passes(line))
            now.push_back(&line);
    if (now.empty())
        return;
    beginInsertRows({}, shown_, shown_ + static_cast<int>(now.size()) - 1);
    live_ = std::move(now);
    endInsertRows();
}

std::size_t LogModel::lineOfRow(int row) const {
    return has_rows_ ? rows_[static_cast<std::size_t>(row)] : static_cast<std::size_t>(row);
}

const LiveLine* LogModel::liveOfRow(int row) const {
    return row >= shown_ ? live_[static_cast<std::size_t>(row - shown_)] : nullptr;
}

template <class Visit>
void LogModel::visitTimes(Visit visit) const {
    std::int64_t day = 0;
    int before = -1;
    for (int row = 0; row < shown_; ++row) {
        const std::size_t line = lineOfRow(row);
        if (store_.line(line).head == 0)
            continue;
        const int time = line_time(store_.text(line));
        if (time < 0)
            continue;
        // Ranks are merged by time and may be a little out of order; half a day back is a new day.
        if (before >= 0 && time < before - kDay / 2)
            day += kDay;
        before = time;
        if (!visit(row, day + time))
            return;
    }
}

std::int64_t LogModel::timeOfRow(int wanted) const {
    std::int64_t found = -1;
    visitTimes([&](int row, std::int64_t time) {
        if (row <= wanted)
            found = time;
        return row < wanted;
    });
    return found;
}

int LogModel::rowAtTime(std::int64_t milliseconds) const {
    int best = -1;
    visitTimes([&](int row, std::int64_t time) {
        if (time <= milliseconds)
            best = row;
        return true;
    });
    return best;
}

QString LogModel::copyText(int row) const {
    const LiveLine* live = liveOfRow(row);
    const std::size_t line = live != nullptr ? 0 : lineOfRow(row);
    return QString::fromStdString(live != nullptr ? with_rank(live->rank, live->line.text)
                                                  : with_rank(store_.line(line).rank, store_.text(line)));
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shown_ + static_cast<int>(live_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
        return {};
    return copyText(index.row());
}

}  // namespace trainyard::widgets
