// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/value_table_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <QLocale>

#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

ValueTableModel::ValueTableModel(ChartValues values, QObject* parent)
    : QAbstractTableModel(parent), values_(std::move(values)) {
    // The steps of all curves, merged: as many of the first ones as a table holds.
    for (const ChartValues::Column& column : values_.columns) {
        std::size_t first = 0, last = column.series.size();
        if (values_.in_sight) {
            first = column.series.lowerBound(values_.range.lower, column.scale);
            last = column.series.lowerBound(std::nextafter(values_.range.upper, HUGE_VAL), column.scale);
        }
        if (last - first > kMost) {
            last = first + kMost;
            whole_ = false;
        }
        std::vector<std::int64_t> steps;
        steps.reserve(last - first);
        column.series.forEach(first, last, [&](std::size_t, const SeriesPoint& point) {
            if (steps.empty() || steps.back() != point.step)
                steps.push_back(point.step);
        });
        std::vector<std::int64_t> merged;
        merged.reserve(steps_.size() + steps.size());
        std::set_union(steps_.begin(), steps_.end(), steps.begin(), steps.end(), std::back_inserter(merged));
        steps_ = std::move(merged);
        if (steps_.size() > kMost) {
            steps_.resize(kMost);
            whole_ = false;
        }
    }
}

int ValueTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

int ValueTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(values_.columns.size()) + 1;
}

QVariant ValueTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::TextAlignmentRole && role != Qt::UserRole))
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    const std::int64_t step = steps_[static_cast<std::size_t>(index.row())];
    if (index.column() == 0)
        return role == Qt::UserRole ? QVariant::fromValue(static_cast<qlonglong>(step))
                                    : QVariant(QLocale().toString(static_cast<qlonglong>(step)));
    const Series& series = values_.columns[static_cast<std::size_t>(index.column() - 1)].series;
    const XScale steps{XUnit::Step, 0, 1, 1, 0};
    const std::size_t at = series.lowerBound(static_cast<double>(step), steps);
    if (at == series.size() || series.step(at) != step)
        return {};
    return role == Qt::UserRole ? QVariant(series.value(at)) : QVariant(value_number(series.value(at), 6));
}

QVariant ValueTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return section == 0 ? tr("Step") : values_.columns[static_cast<std::size_t>(section - 1)].name;
}

}  // namespace trainyard::widgets
