// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cell_table.h"

namespace trainyard::widgets {

QVariant CellTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows())
        return {};
    if (role == Qt::DisplayRole)
        return words(index.row(), index.column());
    if (role == Qt::AccessibleTextRole)
        return spoken(index.row(), index.column());
    if (role == Qt::ToolTipRole)
        return tip(index.row(), index.column());
    if (role == Qt::TextAlignmentRole && isNumber(index.column()))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != CellRole)
        return {};
    Cell shown = cell(index.row(), index.column());
    if (isNumber(index.column()))
        shown.alignment = Qt::AlignRight;
    return QVariant::fromValue(shown);
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(title(section)) : QVariant();
}

QString CellTable::words(int row, int column) const {
    const Cell shown = cell(row, column);
    return (QStringList(shown.text) + shown.tags).join(QLatin1String(", "));
}

void CellTable::cellsChanged() {
    if (rows() > 0)
        emit dataChanged(index(0, 0), index(rows() - 1, columns() - 1));
}

}  // namespace trainyard::widgets
