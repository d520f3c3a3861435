// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trials of a sweep as rows: state, value and parameters. Sorted by any column.

#include "sweep/sweep_folder.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class TrialsModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column { Number, State, Value, Step, FirstParameter };
    using CellTable::CellTable;

    void setSweep(const sweep::StoredSweep& sweep);
    const sweep::StoredSweep& sweep() const { return sweep_; }
    /// nullptr: no such row.
    const sweep::Trial* trial(int row) const;
    int rowOf(std::int64_t number) const;  ///< -1: no such trial
    void sort(int column, Qt::SortOrder order) override;

  protected:
    int rows() const override { return static_cast<int>(order_.size()); }
    int columns() const override { return hostColumn() + 1; }
    QString title(int column) const override;
    bool isNumber(int column) const override;
    widgets::Cell cell(int row, int column) const override;
    QString words(int row, int column) const override { return cell(row, column).text; }
    QString spoken(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    int hostColumn() const { return FirstParameter + static_cast<int>(sweep_.file.parameters.size()); }
    void arrange();

    sweep::StoredSweep sweep_;
    std::optional<std::int64_t> best_;
    std::vector<std::int64_t> order_;  ///< numbers of the trials
    int sorted_by_ = Number;
    bool descending_ = false;
};

/// State of a trial and of a sweep, as the window shows it.
widgets::Chip chipOf(sweep::TrialState state);
widgets::Chip chipOf(sweep::SweepState state);

}  // namespace trainyard::desktop
