// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table of few rows that are made as a whole, e.g. from the answer of a job: the owner sets columns and rows of
// cells. Selection and scroll position of a view stay when the rows are set again.

#include <QVariant>
#include <QVector>

#include "widgets/cell_table.h"

namespace trainyard::widgets {

class CellRows : public CellTable {
  public:
    struct Column {
        QString title;
        bool number = false;  ///< right-aligned
        QString tip = {};
        QVariant icon = {};  ///< for Qt::DecorationRole
    };
    struct Item {
        Cell cell;
        QString tip = {};
        QVariant data = {};  ///< for Qt::UserRole
    };
    using Row = QVector<Item>;
    using CellTable::CellTable;
    explicit CellRows(const QVector<Column>& columns, QObject* parent = nullptr);

    void setColumns(const QVector<Column>& columns);
    /// Rows may have fewer items than there are columns.
    void setRows(const QVector<Row>& rows);

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  protected:
    int rows() const override { return static_cast<int>(rows_.size()); }
    int columns() const override { return static_cast<int>(columns_.size()); }
    QString title(int column) const override { return columns_[column].title; }
    bool isNumber(int column) const override { return columns_[column].number; }
    Cell cell(int row, int column) const override { return rows_[row].value(column).cell; }
    QString words(int row, int column) const override;
    QString tip(int row, int column) const override { return rows_[row].value(column).tip; }

  private:
    QVector<Column> columns_;
    QVector<Row> rows_;
};

}  // namespace trainyard::widgets
