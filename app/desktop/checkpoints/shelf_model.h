#pragma once
// The checkpoints of a run as rows: step, metric, layout, time; two ticks choose which are compared.

#include <set>

#include <QAbstractTableModel>

#include "inspect/prune.h"
#include "inspect/shelf.h"

namespace trainyard::desktop {

class ShelfModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Step, Metric, Layout, Saved, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setShelf(const inspect::Shelf& shelf);
    const inspect::Shelf& shelf() const { return shelf_; }
    /// What a prune would remove is struck out.
    void setPlan(const inspect::PrunePlan& plan);
    /// The one that is shown, and the one it is compared with; -1: none.
    void setTicks(int chosen, int other);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void tellOfRows();
    static bool isNumber(int column) { return column == Metric || column == Saved; }

    inspect::Shelf shelf_;
    std::set<std::size_t> going_;
    int chosen_ = -1, other_ = -1;
};

/// "18,000", or the name where it has no step.
QString stepWords(const inspect::Shelved& item);

}  // namespace trainyard::desktop
