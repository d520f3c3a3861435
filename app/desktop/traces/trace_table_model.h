#pragma once
// The rows of a table under the timeline. Columns follow the table; a click on a head sorts, but for calls, which are a tree.

#include <functional>

#include <QAbstractTableModel>
#include <QStringList>

#include "desktop/traces/selection.h"

namespace trainyard::desktop {

class TraceTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    using QAbstractTableModel::QAbstractTableModel;
    void setRows(TraceTable table, QVector<TraceRow> rows);
    TraceTable table() const { return table_; }
    const TraceRow& at(int row) const { return rows_[row]; }
    bool isName(int column) const { return column == 0; }
    /// With full numbers in ns, for other programs.
    QVector<QStringList> plain() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

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
    /// What a column is called, on the page and in files, and what of a row it shows: words, or a number in a unit with so many decimals.
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
