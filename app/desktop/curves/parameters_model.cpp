// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/parameters_model.h"

#include <algorithm>

#include <QHash>

#include "desktop/curves/tag_index.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

void ParametersModel::setSources(const QVector<CurveSource*>& sources) {
    QStringList names;
    QVector<Row> rows;
    QHash<QString, qsizetype> places;
    for (const CurveSource* source : sources) {
        if (source->parameters().empty())
            continue;
        const qsizetype column = names.size();
        names << source->name();
        for (const auto& [key, value] : source->parameters()) {
            const QString name = qt(key);
            if (!places.contains(name)) {
                places.insert(name, rows.size());
                rows.append({name, {}, false});
            }
            QStringList& values = rows[places.value(name)].values;
            while (values.size() < column)
                values << QString();
            values << qt(value);
        }
    }
    for (Row& row : rows) {
        while (row.values.size() < names.size())
            row.values << QString();
        row.differs = std::any_of(row.values.begin(), row.values.end(),
                                  [&row](const QString& value) { return value != row.values.first(); });
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.differs != b.differs ? a.differs : natural_less(a.name, b.name);
    });
    if (rows == rows_ && names == names_)
        return;
    beginResetModel();
    rows_ = rows;
    names_ = names;
    differing_ =
        static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.differs; }));
    endResetModel();
}

QString ParametersModel::text() const {
    QStringList lines{QStringList(QStringList{tr("Parameter")} + names_).join(QLatin1Char('\t'))};
    for (const Row& row : rows_)
        lines << QStringList(QStringList{row.name} + row.values).join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n'));
}

widgets::Cell ParametersModel::cell(int at, int column) const {
    const Row& row = rows_[at];
    const bool is_name = column == 0;
    widgets::Cell cell;
    cell.text = is_name ? row.name : row.values[column - 1];
    cell.mono = true;
    cell.strong = row.differs && !is_name;
    cell.ink = is_name ? widgets::Token::TextSecondary : widgets::Token::Text;
    return cell;
}

}  // namespace trainyard::desktop
