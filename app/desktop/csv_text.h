#pragma once
// One line of a CSV table (RFC 4180, with a line feed): cells are quoted where they must be.

#include <QStringList>

namespace trainyard::desktop {

inline QString csvLine(const QStringList& cells) {
    QString line;
    for (int i = 0; i < cells.size(); ++i) {
        QString cell = cells[i];
        const bool quoted = cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')) ||
                            cell.contains(QLatin1Char('\n')) || cell.contains(QLatin1Char('\r'));
        line += i > 0 ? QStringLiteral(",") : QString();
        line += quoted ? QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"')
                       : cell;
    }
    return line + QLatin1Char('\n');
}

}  // namespace trainyard::desktop
