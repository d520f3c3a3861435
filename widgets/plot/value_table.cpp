#include "widgets/plot/value_table.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/label.h"
#include "widgets/plot/number_text.h"
#include "widgets/theme.h"

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

ValueTable::ValueTable(const CurveChart& chart, QWidget* parent) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1: values").arg(chart.accessibleName()));
    resize(560, 480);
    auto* layout = new QVBoxLayout(this);
    auto* model = new ValueTableModel(chart_values(chart, true), this);
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(windowTitle());
    table->setFont(Theme::instance().mono(12));
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(24);
    table->horizontalHeader()->setDefaultSectionSize(140);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    layout->addWidget(make_label(model->isWhole() ? tr("%n steps in sight", nullptr, model->rowCount())
                                                  : tr("The first %n steps in sight; the rest is in an export as CSV",
                                                       nullptr, model->rowCount()),
                                 12, QFont::Normal, Tone::Secondary));
    layout->addWidget(table);
    auto* copy = new QAction(tr("Copy"), table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(copy);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, [table, model] {
        QString text;
        for (const QModelIndex& row : table->selectionModel()->selectedRows()) {
            for (int column = 0; column < model->columnCount(); ++column) {
                const QVariant value = model->index(row.row(), column).data(Qt::UserRole);
                text += (column > 0 ? QStringLiteral("\t") : QString()) +
                        (column == 0       ? value.toString()
                         : value.isValid() ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                                           : QString());
            }
            text += QLatin1Char('\n');
        }
        QApplication::clipboard()->setText(text);
    });
    table->setFocus();
}

}  // namespace trainyard::widgets
