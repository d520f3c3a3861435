// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rows of a table under the timeline. The columns depend on the table. A click on a column header sorts, except for
// calls, which form a tree.

#include <functional>

#include <QStringList>

#include "desktop/traces/selection.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class TraceTableModel : public widgets::CellTable {
    Q_OBJECT
  public:
    using CellTable::CellTable;
    void setRows(TraceTable table, QVector<TraceRow> rows);
    TraceTable table() const { return table_; }
    const TraceRow& at(int row) const { return rows_[row]; }
    bool isName(int column) const { return column == 0; }
    bool hasWords(int column) const { return isWords(this->column(column)); }
    /// The cells with full numbers in ns, for other programs.
    QVector<QStringList> plain() const;

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  protected:
    int rows() const override { return static_cast<int>(rows_.size()); }
    int columns() const override { return static_cast<int>(columnsOf(table_).size()); }
    QString title(int section) const override { return tr(head(column(section)).title); }
    bool isNumber(int section) const override { return !isWords(column(section)) && column(section) != Column::Share; }
    widgets::Cell cell(int row, int section) const override;
    QString words(int row, int section) const override;
    QString tip(int row, int section) const override;

  private:
    enum class Column {
        Name,
        Family,
        Category,
        Count,
        Total,
        Self,
        Mean,
        Percent,
        OfStep,
        Share,
        Track,
        Begin,
        Before,
        After,
        Difference,
        Counts
    };
    static const QVector<Column>& columnsOf(TraceTable table);
    Column column(int section) const { return columnsOf(table_)[section]; }
    /// A column: its title on the page and in files, and the property of a row that it shows, as text or as a number
    /// with unit and decimals.
    struct Head {
        const char* title;
        const char* plain;
        QString TraceRow::*words = nullptr;
        std::function<double(const TraceRow&)> number = {};
        double unit = 1;
        int decimals = 0;
    };
    static const Head& head(Column column);
    static QString text(const TraceRow& row, Column column);
    static QString plainText(const TraceRow& row, Column column);
    static bool isWords(Column column) { return head(column).words != nullptr; }

    TraceTable table_ = TraceTable::Kernels;
    QVector<TraceRow> rows_;
};

}  // namespace trainyard::desktop
