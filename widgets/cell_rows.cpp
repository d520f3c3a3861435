// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cell_rows.h"

namespace trainyard::widgets {

CellRows::CellRows(const QVector<Column>& columns, QObject* parent) : CellTable(parent), columns_(columns) {}

void CellRows::setColumns(const QVector<Column>& columns) {
    if (columns.size() != columns_.size()) {
        beginResetModel();
        columns_ = columns;
        endResetModel();
        return;
    }
    columns_ = columns;
    if (!columns_.isEmpty())
        emit headerDataChanged(Qt::Horizontal, 0, static_cast<int>(columns_.size()) - 1);
}

void CellRows::setRows(const QVector<Row>& rows) {
    const auto before = static_cast<int>(rows_.size()), now = static_cast<int>(rows.size());
    if (now < before) {
        beginRemoveRows({}, now, before - 1);
        rows_.resize(now);
        endRemoveRows();
    } else if (now > before) {
        beginInsertRows({}, before, now - 1);
        rows_ += rows.mid(before);
        endInsertRows();
    }
    rows_ = rows;
    cellsChanged();
}

QVariant CellRows::data(const QModelIndex& index, int role) const {
    if (role == Qt::UserRole && index.isValid() && index.row() < rows())
        return rows_[index.row()].value(index.column()).data;
    return CellTable::data(index, role);
}

QVariant CellRows::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole)
        return columns_[section].tip;
    if (orientation == Qt::Horizontal && role == Qt::DecorationRole)
        return columns_[section].icon;
    return CellTable::headerData(section, orientation, role);
}

QString CellRows::words(int row, int column) const {
    const Cell shown = cell(row, column);
    return shown.chip.text.isEmpty() ? CellTable::words(row, column) : shown.chip.text;
}

}  // namespace trainyard::widgets
