// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The checkpoints of a run as rows: step, metric, layout, time. Two marks select the checkpoints that are compared.

#include <set>

#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/prune.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class CheckpointListModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column { Step, Metric, Layout, Saved, ColumnCount };
    using CellTable::CellTable;

    void setShelf(const inspect::CheckpointList& checkpoint_list);
    const inspect::CheckpointList& checkpoint_list() const { return checkpoint_list_; }
    /// Strikes out the checkpoints that the plan would remove.
    void setPlan(const inspect::PrunePlan& plan);
    /// Sets the row that is shown and the row it is compared with; -1: none.
    void setTicks(int chosen, int other);

  protected:
    int rows() const override { return static_cast<int>(checkpoint_list_.items.size()); }
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column == Metric || column == Saved; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    inspect::CheckpointList checkpoint_list_;
    std::set<std::size_t> going_;
    int chosen_ = -1, other_ = -1;
};

/// "18,000", or the name where it has no step.
QString stepWords(const inspect::CheckpointEntry& item);

}  // namespace trainyard::desktop
