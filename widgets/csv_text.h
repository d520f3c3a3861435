// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CSV as RFC 4180 has it, with a line feed: cells are quoted where they must be.

#include <QStringList>

namespace trainyard::widgets {

inline QString csv_cell(QString cell) {
    const bool quoted = cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')) ||
                        cell.contains(QLatin1Char('\n')) || cell.contains(QLatin1Char('\r'));
    return quoted ? QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"') : cell;
}

inline QString csv_line(QStringList cells) {
    for (QString& cell : cells)
        cell = csv_cell(cell);
    return cells.join(QLatin1Char(',')) + QLatin1Char('\n');
}

}  // namespace trainyard::widgets
