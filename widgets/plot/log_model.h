// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The lines of a LogStore that pass a filter, as rows, followed by the lines that ranks are still writing. Without a
// filter, rows are lines, regardless of their number. Filter and search run in slices of a few milliseconds, a new
// request replaces the previous one, and new lines are processed as they arrive.

#include <vector>

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/plot/log_filter.h"
#include "widgets/plot/log_store.h"

namespace trainyard::widgets {

/// A snapshot of the rows of a log; may be written by another thread.
class LogSnapshot {
  public:
    LogSnapshot(LogStore store, std::vector<std::uint32_t> rows, bool all)
        : store_(std::move(store)), rows_(std::move(rows)), all_(all) {}
    std::size_t size() const { return all_ ? store_.size() : rows_.size(); }
    /// `r0  08:41:07.114 INFO  step 18420 ...`
    std::string text(std::size_t row) const;

  private:
    LogStore store_;
    std::vector<std::uint32_t> rows_;
    bool all_;
};

class LogModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit LogModel(QObject* parent = nullptr);

    void append(std::shared_ptr<const LogBlock> block);
    void clear();
    void setFilter(const LogFilter& filter);
    const LogFilter& filter() const { return filter_; }
    /// Sets the pattern to search for in the rows that pass the filter.
    void setSearch(const LogPattern& pattern);
    const LogPattern& search() const { return search_; }
    /// Rows with a match found so far, ascending.
    const std::vector<std::uint32_t>& found() const { return found_; }
    /// The next row with a match below (or above) `row`, with wrap-around; -1: none.
    int nextFound(int row, bool down) const;
    bool isFiltering() const { return timer_.isActive(); }

    const LogStore& store() const { return store_; }
    /// Must not be called for a live row.
    std::size_t lineOfRow(int row) const;
    /// The incomplete line of a live row; nullptr: the row is a line of the store.
    const LiveLine* liveOfRow(int row) const;
    /// Milliseconds from the midnight before the first line to the row; lines may span several midnights. A line
    /// without a time takes that of the line before it. -1: no line up to this row has a time.
    std::int64_t timeOfRow(int row) const;
    /// The last row at or before this time; -1: none.
    int rowAtTime(std::int64_t milliseconds) const;
    /// `r0  08:41:07.114 INFO  step 18420 ...`, for the clipboard.
    QString copyText(int row) const;
    LogSnapshot snapshot() const { return {store_, rows_, !has_rows_}; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  signals:
    void countChanged();
    void foundChanged();

  private:
    bool isHidden(std::size_t line) const;
    void beginAgain();
    void lookSlice();
    void removeLines(const std::vector<std::uint32_t>& lines);
    void refreshLive();
    /// Calls visit(row, time) for every row that has a time, until it returns false.
    template <class Visit>
    void visitTimes(Visit visit) const;
    bool passes(const LiveLine& line) const;

    LogStore store_;
    LogFilter filter_;
    LogPattern search_;
    bool has_rows_ = false;              ///< rows_ is valid; otherwise rows are lines
    std::vector<std::uint32_t> rows_;    ///< lines that pass the filter, ascending
    std::vector<std::uint32_t> hidden_;  ///< overwritten lines, ascending
    std::vector<std::uint32_t> found_;
    std::vector<const LiveLine*> live_;  ///< live lines of the store that pass the filter
    std::size_t looked_at_ = 0;          ///< number of lines filtered and searched
    int shown_ = 0;                      ///< number of rows without the live ones
    QTimer timer_;
};

}  // namespace trainyard::widgets
