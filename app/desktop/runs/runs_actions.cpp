// SPDX-License-Identifier: GPL-3.0-or-later
// Commands and menus of the list as a whole.

#include <QAction>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>

#include "desktop/compare/compare_drawer.h"
#include "desktop/runs/columns_popup.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/word_popup.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

void RunsPage::makeActions() {
    ActionCollection& commands = ActionCollection::instance();
    // Single letters act only while the list has the focus, never while the user types.
    const auto add = [this, &commands](const char* id, const std::function<void()>& run) {
        return commands.addFor(table_, id, this, run);
    };
    add("runs.select_all", [this] { table_->selectAll(); });
    add("runs.group", [this] { openGroupMenu(); });
    add("runs.collapse_groups", [this] { foldAll(true); });
    add("runs.expand_groups", [this] { foldAll(false); });
    add("runs.compare", [this] {
        if (model_->ticked().isEmpty())
            model_->setTicked(chosen());
        else if (drawer_aside_)
            emit compareWindowRequested();
        else {
            drawer_wanted_ = drawer_->isHidden();
            tickedChanged();
        }
    });
    add("runs.deselect", [this] { model_->setTicked({}); });
    commands.addUndo(this, edits_->stack());
    add("runs.columns", [this] { openColumns(); });
    add("runs.export", [this] { exportTable(); });
    add("runs.watch", [this] { watchFolder(); });
    add("runs.save_filter", [this] { askFilterName(); });
}

void RunsPage::askFilterName() {
    if (filter_->text().isEmpty() || filter_->property("invalid").toBool()) {
        find();
        return;
    }
    auto* popup = new WordPopup(
        tr("Name of the filter"), filter_->text(), {}, {}, [this](const QString& name) { saveFilter(name); }, this);
    popup->popup(filter_->mapToGlobal(QPoint(0, filter_->height() + 4)));
}

void RunsPage::watchFolder() {
    widgets::ask_folder(this, tr("A folder that contains run folders"), [this](const QString& folder) {
        if (!watched_.contains(folder))
            setWatched(watched_ + QStringList{folder});
    });
}

void RunsPage::setWatched(const QStringList& folders) {
    watched_ = folders;
    keep(QStringLiteral("watched"), QJsonArray::fromStringList(watched_));
    store_->setMore(watched_, imported_);
}

void RunsPage::openMore() {
    QMenu* menu = make_menu(this);
    menu->addAction(tr("Save this filter…"), this, &RunsPage::askFilterName)->setEnabled(!filter_->text().isEmpty());
    for (int i = 0; i < saved_filters_.size(); ++i)
        menu->addAction(tr("Delete the filter %1").arg(saved_filters_[i].first), this, [this, i] {
            saved_filters_.removeAt(i);
            showSavedFilters();
        });
    menu->addSeparator();
    menu->addAction(tr("Select all rows") + QStringLiteral("\tCtrl+A"), table_, &QTableView::selectAll);
    fillGroupMenu(menu->addMenu(tr("Group by")));
    menu->addSeparator();
    menu->addAction(tr("Watch a folder of runs…"), this, &RunsPage::watchFolder);
    for (const QString& folder : std::as_const(watched_))
        menu->addAction(tr("Stop watching %1").arg(folder), this, [this, folder] { replaceFolder(folder, {}); });
    menu->addSeparator();
    menu->addAction(tr("Save the list as a table…"), this, &RunsPage::exportTable);
    menu->addAction(tr("Deselect all runs"), this, [this] { model_->setTicked({}); })
        ->setEnabled(!model_->ticked().isEmpty());
    menu->addActions({ActionCollection::instance().undoAction(), ActionCollection::instance().redoAction()});
    menu->popup(more_->mapToGlobal(QPoint(0, more_->height() + 4)));
}

void RunsPage::fillGroupMenu(QMenu* menu) {
    QVector<Grouping> choices;
    for (const GroupKind kind : {GroupKind::None, GroupKind::Name, GroupKind::Tags, GroupKind::Project,
                                 GroupKind::Sweep, GroupKind::Host, GroupKind::State})
        choices << Grouping{kind};
    // Settings that are columns; another one becomes a choice once it is a column.
    const QStringList settings = knownNames(store_->runs()).keys;
    for (const QString& name : model_->extraColumns())
        if (settings.contains(name))
            choices << Grouping{GroupKind::Setting, name};
    if (!choices.contains(proxy_->grouping()))
        choices << proxy_->grouping();
    for (const Grouping& choice : std::as_const(choices)) {
        QAction* action = menu->addAction(choice.title(), this, [this, choice] { setGrouping(choice); });
        action->setCheckable(true);
        action->setChecked(choice == proxy_->grouping());
    }
    menu->addSeparator();
    const bool grouped = proxy_->grouping().kind != GroupKind::None;
    menu->addAction(tr("Collapse all groups"), this, [this] { foldAll(true); })->setEnabled(grouped);
    menu->addAction(tr("Expand all groups"), this, [this] { foldAll(false); })->setEnabled(grouped);
}

void RunsPage::openGroupMenu() {
    QMenu* menu = make_menu(this);
    fillGroupMenu(menu);
    menu->popup(more_->mapToGlobal(QPoint(0, more_->height() + 4)));
}

void RunsPage::openColumns() {
    QVector<ColumnsPopup::Fixed> fixed;
    for (int column = RunsModel::Name + 1; column < RunsModel::ColumnCount; ++column)
        fixed << ColumnsPopup::Fixed{column, model_->title(column), !hidden_.contains(column)};
    auto* popup = new ColumnsPopup(fixed, knownNames(store_->runs()), model_->extraColumns(), this);
    connect(popup, &ColumnsPopup::fixedToggled, this, &RunsPage::setColumnShown);
    connect(popup, &ColumnsPopup::extraToggled, this, &RunsPage::setExtraColumn);
    popup->popup(columns_->mapToGlobal(QPoint(columns_->width(), columns_->height() + 4)));
}

void RunsPage::replaceFolder(const QString& path, const QString& by) {
    if (!watched_.contains(path)) {
        emit importedReplaced(path, by);
        return;
    }
    QStringList folders = watched_;
    folders.removeAll(path);
    if (!by.isEmpty() && !folders.contains(by))
        folders << by;
    setWatched(folders);
}

}  // namespace trainyard::desktop
