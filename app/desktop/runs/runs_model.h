#pragma once
// The run list as a table, and the proxy that filters and sorts it (live runs always on top).

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "desktop/runs/run_filter.h"
#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Name, State, Curve, Train, Validation, Rate, Step, Hosts, Ranks, Started, ColumnCount };
    /// What a column is sorted by.
    static constexpr int SortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    /// Rows are kept by id, so selection and scroll position survive an update.
    void setRuns(const RunSummaries& runs);
    const RunSummary& at(int row) const { return runs_[row]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QVariant cell(const RunSummary& run, int column) const;
    QVariant sortValue(const RunSummary& run, int column) const;
    QString plainText(const RunSummary& run, int column) const;
    RunSummaries runs_;
};

class RunsProxy : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    explicit RunsProxy(RunsModel* model, QObject* parent = nullptr);
    /// Empty when the filter was taken, else the sentence; the list stays as it was then.
    QString setFilterText(const QString& text);
    void setSegment(RunSegment segment);
    const RunSummary& at(const QModelIndex& index) const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

  private:
    RunsModel* model_;
    RunFilter filter_;
    RunSegment segment_ = RunSegment::All;
};

}  // namespace trainyard::desktop
