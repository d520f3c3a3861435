// SPDX-License-Identifier: GPL-3.0-or-later
// How the list of runs was looked at: columns, sorting, filters, ticks, folders.
#include <algorithm>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

#include "desktop/compare/compare_drawer.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/view_state.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
const QString kRunsPlace = QStringLiteral("place/runs");
const int& kExtraWidth = live_px(104);
const int& kLeastDrawer = live_px(180);
}  // namespace

void RunsPage::keep(const QString& name, const QJsonValue& value) {
    if (!restoring_)
        ViewState::instance().set(kRunsPlace, name, value);
}

void RunsPage::keepColumns() {
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
    auto sort = [this](int column, Qt::SortOrder order) {
        return column < 0 ? QJsonValue() : QJsonArray{model_->columnKey(column), order == Qt::AscendingOrder ? 1 : -1};
    };
    keep(QStringLiteral("widths"), widths);
    keep(QStringLiteral("hidden"), hidden);
    keep(QStringLiteral("extra"), QJsonArray::fromStringList(model_->extraColumns()));
    keep(QStringLiteral("sort"), sort(proxy_->sortColumn(), proxy_->sortOrder()));
    keep(QStringLiteral("second"), sort(proxy_->secondKey(), proxy_->secondOrder()));
}

void RunsPage::setGrouping(const Grouping& grouping) {
    proxy_->setGrouping(grouping);
    keep(QStringLiteral("group"), grouping.key());
    keepCollapsed();
}

void RunsPage::keepCollapsed() {
    keep(QStringLiteral("collapsed"), QJsonArray::fromStringList(proxy_->collapsed().values()));
}

void RunsPage::restoreView() {
    const QJsonObject view = ViewState::instance().view(kRunsPlace);
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
    auto sorted = [&](const char* name, auto apply) {
        const QJsonArray sort = view.value(QLatin1String(name)).toArray();
        if (const int column = model_->columnOf(sort.at(0).toString()); column >= 0 && sort.size() == 2)
            apply(column, sort.at(1).toInt() < 0 ? Qt::DescendingOrder : Qt::AscendingOrder);
    };
    sorted("sort", [this](int column, Qt::SortOrder order) { table_->sortByColumn(column, order); });
    sorted("second", [this](int column, Qt::SortOrder order) { proxy_->setSecondKey(column, order); });
    for (const QJsonValue& one : view.value(QStringLiteral("filters")).toArray())
        saved_filters_ << std::pair(one.toArray().at(0).toString(), one.toArray().at(1).toString());
    segments_->setCurrent(std::clamp(view.value(QStringLiteral("segment")).toInt(), 0, segments_->count() - 1));
    proxy_->setGrouping(Grouping::ofKey(view.value(QStringLiteral("group")).toString()));
    const QStringList collapsed = stringsOf(view.value(QStringLiteral("collapsed")));
    proxy_->setCollapsed(QSet<QString>(collapsed.begin(), collapsed.end()));
    filter_->setText(view.value(QStringLiteral("filter")).toString());
    model_->setTicked(stringsOf(view.value(QStringLiteral("ticked"))));
    drawer_->restoreView(view.value(QStringLiteral("compare")).toObject());
    if (const int height = view.value(QStringLiteral("drawer")).toInt(); height >= kLeastDrawer)
        splitter_->setSizes({std::max(200, 730 - height), height});
    watched_ = stringsOf(view.value(QStringLiteral("watched")));
    if (!watched_.isEmpty())
        store_->setMore(watched_, imported_);
    showSavedFilters();
    fitColumns();
    restoring_ = false;
}

void RunsPage::setImported(const QStringList& folders) {
    if (folders == imported_)
        return;
    imported_ = folders;
    store_->setMore(watched_, imported_);
}

void RunsPage::setColumnShown(int column, bool shown) {
    if (shown)
        hidden_.remove(column);
    else
        hidden_.insert(column);
    fitColumns();
    keepColumns();
}

void RunsPage::setExtraColumn(const QString& name, bool shown) {
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
    fitColumns();
    keepColumns();
}

void RunsPage::saveFilter(const QString& name) {
    if (name.trimmed().isEmpty())
        return;
    saved_filters_.removeIf([&](const auto& filter) { return filter.first == name.trimmed(); });
    saved_filters_ << std::pair(name.trimmed(), filter_->text());
    showSavedFilters();
}

void RunsPage::showSavedFilters() {
    QJsonArray filters;
    for (const auto& [name, text] : saved_filters_)
        filters << QJsonArray{name, text};
    keep(QStringLiteral("filters"), filters);
    auto* line = static_cast<QHBoxLayout*>(saved_row_->layout());
    const bool same = line->count() == saved_filters_.size() + 1;
    if (same) {
        for (int i = 0; i < saved_filters_.size(); ++i)
            if (auto* button = qobject_cast<QPushButton*>(line->itemAt(i)->widget())) {
                button->setText(saved_filters_[i].first);
                button->setChecked(filter_->text() == saved_filters_[i].second);
            }
        return;
    }
    while (QLayoutItem* item = line->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (int i = 0; i < saved_filters_.size(); ++i) {
        auto* button = new QPushButton(saved_filters_[i].first);
        button->setCheckable(true);
        button->setChecked(filter_->text() == saved_filters_[i].second);
        button->setProperty("kind", QStringLiteral("segment"));
        connect(button, &QPushButton::clicked, this,
                [this, i](bool on) { filter_->setText(on ? saved_filters_[i].second : QString()); });
        line->addWidget(button);
    }
    line->addStretch();
    saved_row_->setVisible(!saved_filters_.isEmpty());
}

}  // namespace trainyard::desktop
