#pragma once
// The lines of a LogStore that a filter lets through, as rows. Without a filter rows are lines, whatever their number. A filter is
// applied in slices of a few milliseconds, newest answer wins; new lines are filtered as they come.

#include <vector>

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/plot/log_store.h"

namespace trainyard::widgets {

class LogModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit LogModel(QObject* parent = nullptr);

    void append(std::shared_ptr<const LogBlock> block);
    void clear();
    void setFilter(const LogFilter& filter);
    const LogFilter& filter() const { return filter_; }
    bool isFiltering() const { return timer_.isActive(); }

    const LogStore& store() const { return store_; }
    std::size_t lineOfRow(int row) const;
    /// `r0  08:41:07.114 INFO  step 18420 ...`, for the clipboard.
    QString copyText(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  signals:
    void countChanged();

  private:
    void filterSlice();

    LogStore store_;
    LogFilter filter_;
    std::vector<std::uint32_t> rows_;  ///< lines that pass; unused without a filter
    std::size_t looked_at_ = 0;
    int shown_ = 0;
    QTimer timer_;
};

}  // namespace trainyard::widgets
