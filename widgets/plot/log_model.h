#pragma once
// The lines of a LogStore that a filter lets through, as rows, and below them the lines that ranks are still writing. Without a filter
// rows are lines, whatever their number. Filter and search are applied in slices of a few milliseconds, newest answer wins; new lines
// are looked at as they come.

#include <vector>

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/plot/log_filter.h"
#include "widgets/plot/log_store.h"

namespace trainyard::widgets {

/// Rows of a log as they were when it was taken; may be written by another thread.
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
    /// What is looked for in the rows that the filter lets through.
    void setSearch(const LogPattern& pattern);
    const LogPattern& search() const { return search_; }
    /// Rows in which it was found so far, ascending.
    const std::vector<std::uint32_t>& found() const { return found_; }
    /// The next row below (or above) `row` in which it was found, going round; -1: nowhere.
    int nextFound(int row, bool down) const;
    bool isFiltering() const { return timer_.isActive(); }

    const LogStore& store() const { return store_; }
    /// Not of a live row.
    std::size_t lineOfRow(int row) const;
    /// A line that has not ended; nullptr: the row is a line of the store.
    const LiveLine* liveOfRow(int row) const;
    /// Milliseconds from midnight before the first line to the row, whose lines may go on over several midnights; a line without a
    /// time takes that of the line before. -1: no line up to here has one.
    std::int64_t timeOfRow(int row) const;
    /// The last row at or before such a time; -1: none.
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
    bool has_rows_ = false;              ///< rows_ counts; else rows are lines
    std::vector<std::uint32_t> rows_;    ///< lines that pass, ascending
    std::vector<std::uint32_t> hidden_;  ///< lines that were overwritten, ascending
    std::vector<std::uint32_t> found_;
    std::vector<const LiveLine*> live_;  ///< of the store, that pass
    std::size_t looked_at_ = 0;          ///< lines filtered and searched
    int shown_ = 0;                      ///< rows without the live ones
    QTimer timer_;
};

}  // namespace trainyard::widgets
