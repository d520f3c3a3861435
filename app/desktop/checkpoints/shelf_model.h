#pragma once
// The checkpoints of a run as rows: step, metric, layout, time. Two marks select the checkpoints that are compared.

#include <set>

#include "observe/inspect/prune.h"
#include "observe/inspect/shelf.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class ShelfModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column { Step, Metric, Layout, Saved, ColumnCount };
    using CellTable::CellTable;

    void setShelf(const inspect::Shelf& shelf);
    const inspect::Shelf& shelf() const { return shelf_; }
    /// Strikes out the checkpoints that the plan would remove.
    void setPlan(const inspect::PrunePlan& plan);
    /// Sets the row that is shown and the row it is compared with; -1: none.
    void setTicks(int chosen, int other);

  protected:
    int rows() const override { return static_cast<int>(shelf_.items.size()); }
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column == Metric || column == Saved; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    inspect::Shelf shelf_;
    std::set<std::size_t> going_;
    int chosen_ = -1, other_ = -1;
};

/// "18,000", or the name where it has no step.
QString stepWords(const inspect::Shelved& item);

}  // namespace trainyard::desktop
