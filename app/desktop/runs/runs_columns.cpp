// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_columns.h"

#include <QApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QTableView>

#include "desktop/runs/columns_popup.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kNameWidth = live_px(230);
const int& kExtraWidth = live_px(104);
}  // namespace

RunsColumns::RunsColumns(QTableView* table, RunsModel* model, RunsProxy* proxy)
    : QObject(table),
      table_(table),
      model_(model),
      proxy_(proxy),
      hidden_{RunsModel::Gpus, RunsModel::Duration, RunsModel::Note} {
    QHeaderView* header = table_->horizontalHeader();
    header->setTextElideMode(Qt::ElideRight);
    header->setMinimumSectionSize(48_px);
    header->setSortIndicatorClearable(false);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    static constexpr int widths[RunsModel::ColumnCount] = {230, 198, 104, 74, 74, 82, 76, 112, 58, 58, 124, 84, 180};
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        widgets::set_column_widths(header, {{column, widths[column]}});
    header->setSectionResizeMode(RunsModel::Name, QHeaderView::Stretch);
    connect(header, &QHeaderView::sectionClicked, this, &RunsColumns::sortClicked);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != RunsModel::Name && table_->horizontalHeader()->isVisible())
            keep();
    });
}

void RunsColumns::fit() {
    QHeaderView* header = table_->horizontalHeader();
    int needed = kNameWidth;
    for (int column = 0; column < model_->columnCount(); ++column) {
        table_->setColumnHidden(column, hidden_.contains(column));
        if (column != RunsModel::Name && !hidden_.contains(column))
            needed += header->sectionSize(column);
    }
    for (int column :
         {RunsModel::Hosts, RunsModel::Validation, RunsModel::Ranks, RunsModel::Curve, RunsModel::Rate, RunsModel::Note,
          RunsModel::Gpus, RunsModel::Duration, RunsModel::Started, RunsModel::Step, RunsModel::Train}) {
        if (needed <= table_->viewport()->width())
            break;
        if (hidden_.contains(column))
            continue;
        needed -= header->sectionSize(column);
        table_->setColumnHidden(column, true);
    }
}

void RunsColumns::sortClicked(int column) {
    QHeaderView* header = table_->horizontalHeader();
    // The header has turned its arrow already.
    if (!QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)) {
        if (column == proxy_->secondKey())
            proxy_->setSecondKey(-1, Qt::AscendingOrder);
        proxy_->sort(column, header->sortIndicatorOrder());
    } else {
        header->setSortIndicator(proxy_->sortColumn(), proxy_->sortOrder());
        const bool again = column == proxy_->secondKey();
        if (column != proxy_->sortColumn()) {
            if (again && proxy_->secondOrder() == Qt::DescendingOrder)
                proxy_->setSecondKey(-1, Qt::AscendingOrder);
            else
                proxy_->setSecondKey(column, again ? Qt::DescendingOrder : Qt::AscendingOrder);
        }
    }
    keep();
}

void RunsColumns::setShown(int column, bool shown) {
    if (shown)
        hidden_.remove(column);
    else
        hidden_.insert(column);
    fit();
    keep();
}

void RunsColumns::setExtra(const QString& name, bool shown) {
    QStringList names = model_->extraColumns();
    names.removeAll(name);
    if (shown)
        names << name;
    else if (proxy_->sortColumn() == model_->columnOf(name) || proxy_->secondKey() >= RunsModel::ColumnCount) {
        proxy_->setSecondKey(-1, Qt::AscendingOrder);
        table_->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    }
    model_->setExtraColumns(names);
    if (shown)
        table_->setColumnWidth(model_->columnOf(name), kExtraWidth);
    fit();
    keep();
}

void RunsColumns::openChooser(const KnownNames& names, QWidget* button) {
    QVector<ColumnsPopup::Fixed> fixed;
    for (int column = RunsModel::Name + 1; column < RunsModel::ColumnCount; ++column)
        fixed << ColumnsPopup::Fixed{column, model_->title(column), !hidden_.contains(column)};
    auto* popup = new ColumnsPopup(fixed, names, model_->extraColumns(), button);
    connect(popup, &ColumnsPopup::fixedToggled, this, &RunsColumns::setShown);
    connect(popup, &ColumnsPopup::extraToggled, this, &RunsColumns::setExtra);
    popup->popup(button->mapToGlobal(QPoint(button->width(), button->height() + 4)));
}

QVector<QStringList> RunsColumns::texts(const QVector<int>& rows) const {
    QVector<int> columns;
    QVector<QStringList> table(1);
    for (int column = 0; column < model_->columnCount(); ++column)
        if (column != RunsModel::Curve && !hidden_.contains(column)) {
            columns << column;
            table[0] << model_->columnKey(column);
        }
    for (int row : rows) {
        if (proxy_->groupAt(proxy_->index(row, 0)) != nullptr)
            continue;
        const RunSummary& run = proxy_->at(proxy_->index(row, 0));
        QStringList cells;
        for (int column : std::as_const(columns))
            cells << model_->fullText(run, column);
        table << cells;
    }
    return table;
}

void RunsColumns::keep() {
    if (restoring_)
        return;
    QJsonObject widths;
    QJsonArray hidden;
    for (int column = 1; column < model_->columnCount(); ++column) {
        if (hidden_.contains(column))
            hidden << model_->columnKey(column);
        else if (!table_->isColumnHidden(column))
            widths.insert(model_->columnKey(column), table_->columnWidth(column));
    }
    const auto sort = [this](int column, Qt::SortOrder order) {
        return column < 0 ? QJsonValue() : QJsonArray{model_->columnKey(column), order == Qt::AscendingOrder ? 1 : -1};
    };
    emit changed(QStringLiteral("widths"), widths);
    emit changed(QStringLiteral("hidden"), hidden);
    emit changed(QStringLiteral("extra"), QJsonArray::fromStringList(model_->extraColumns()));
    emit changed(QStringLiteral("sort"), sort(proxy_->sortColumn(), proxy_->sortOrder()));
    emit changed(QStringLiteral("second"), sort(proxy_->secondKey(), proxy_->secondOrder()));
}

void RunsColumns::restore(const QJsonObject& view) {
    model_->setExtraColumns(stringsOf(view.value(QStringLiteral("extra"))));
    if (view.contains(QStringLiteral("hidden"))) {
        hidden_.clear();
        for (const QString& key : stringsOf(view.value(QStringLiteral("hidden"))))
            if (const int column = model_->columnOf(key); column > RunsModel::Name)
                hidden_.insert(column);
    }
    const QJsonObject widths = view.value(QStringLiteral("widths")).toObject();
    for (int column = 1; column < model_->columnCount(); ++column) {
        const int width =
            widths.value(model_->columnKey(column)).toInt(column < RunsModel::ColumnCount ? 0 : kExtraWidth);
        if (width >= table_->horizontalHeader()->minimumSectionSize())
            table_->setColumnWidth(column, width);
    }
    const auto sorted = [&](const char* name, auto apply) {
        const QJsonArray sort = view.value(QLatin1String(name)).toArray();
        if (const int column = model_->columnOf(sort.at(0).toString()); column >= 0 && sort.size() == 2)
            apply(column, sort.at(1).toInt() < 0 ? Qt::DescendingOrder : Qt::AscendingOrder);
    };
    sorted("sort", [this](int column, Qt::SortOrder order) { table_->sortByColumn(column, order); });
    sorted("second", [this](int column, Qt::SortOrder order) { proxy_->setSecondKey(column, order); });
    fit();
    restoring_ = false;
}

}  // namespace trainyard::desktop
