// SPDX-License-Identifier: GPL-3.0-or-later
// Actions on the rows of the list, with their shortcuts, and the menus.
#include <algorithm>

#include <QAction>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QUndoStack>

#include "desktop/compare/compare_drawer.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/runs/columns_popup.h"
#include "desktop/runs/run_edit_popups.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/word_popup.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/stop_question.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {
QString colorName(int number) {
    static constexpr const char* names[] = {QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "azure"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "orange"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "mint"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "mauve"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "straw"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "violet"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "ice"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "raspberry"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "olive"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::RunsPage", "mist")};
    return QCoreApplication::translate("trainyard::desktop::RunsPage", names[(number - 1) % widgets::kRunColors]);
}
}  // namespace

void RunsPage::makeActions() {
    ActionCollection& commands = ActionCollection::instance();
    // Single letters act only while the list has the focus, never while the user types.
    const auto add = [this, &commands](const char* id, const std::function<void()>& run) {
        return commands.addFor(table_, id, this, run);
    };
    add("runs.select", [this] { toggleTicks(chosen()); });
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
    add("runs.rename", [this] {
        if (const QModelIndex current = table_->currentIndex();
            current.isValid() && proxy_->groupAt(current) == nullptr)
            table_->edit(current.siblingAtColumn(RunsModel::Name));
    });
    add("runs.tags", [this] { askTags(); });
    add("runs.note", [this] { askNote(); });
    add("runs.archive", [this] {
        const QStringList paths = chosen();
        const bool all = std::all_of(paths.begin(), paths.end(), [this](const QString& path) {
            const RunSummary* run = store_->findPath(path);
            return run != nullptr && run->archived;
        });
        edits_->setArchived(paths, !all);
    });
    add("runs.baseline", [this] {
        if (const QStringList paths = chosen(); !paths.isEmpty())
            edits_->setBaseline(paths.first());
    });
    add("request.edit_again", [this] {
        if (const QModelIndex current = table_->currentIndex(); current.isValid() && proxy_->at(current).isOurs())
            emit editAgainRequested(proxy_->at(current).path + QStringLiteral("/run.yaml"));
    });
    add("request.again", [this] {
        if (const QModelIndex current = table_->currentIndex(); current.isValid() && proxy_->at(current).isOurs()) {
            const RunSummary& run = proxy_->at(current);
            emit runAgainRequested(run.path + QStringLiteral("/run.yaml"), run.isOfProgram() ? QString() : run.name);
        }
    });
    add("request.checkpoint", [this] { requestOfCurrent(QStringLiteral("checkpoint")); });
    add("request.pause", [this] { requestOfCurrent(QStringLiteral("pause")); });
    add("request.stop", [this] { requestOfCurrent(QStringLiteral("stop")); });
    add("runs.delete", [this] { edits_->remove(chosen()); });
    add("runs.earlier", [this] { moveInQueue(-1); });
    add("runs.later", [this] { moveInQueue(1); });
    commands.addUndo(this, edits_->stack());
    add("runs.columns", [this] { openColumns(); });
    add("runs.export", [this] { exportTable(); });
    add("runs.watch", [this] { watchFolder(); });
    add("runs.save_filter", [this] { askFilterName(); });
}

/// Asks the active run in the current row for a checkpoint, to pause or continue, or, after a question, to stop.
void RunsPage::requestOfCurrent(const QString& kind) {
    const QModelIndex current = table_->currentIndex();
    if (!current.isValid() || proxy_->groupAt(current) != nullptr)
        return;
    const RunSummary& run = proxy_->at(current);
    if (!run.isLive() || (run.isOfProgram() && kind != QLatin1String("stop")))
        return;
    if (kind == QLatin1String("stop")) {
        ask_to_stop(this, store_, run);
        return;
    }
    const bool resumes = kind == QLatin1String("pause") && run.phase == RunPhase::Paused;
    store_->request(run.path, resumes ? QStringLiteral("resume") : kind);
}

QStringList RunsPage::chosen() const {
    QStringList paths;
    const auto add = [&](const QModelIndex& row) {
        const RunGroup* group = proxy_->groupAt(row);
        paths << (group != nullptr ? group->paths : QStringList{proxy_->at(row).path});
    };
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
        add(row);
    if (paths.isEmpty() && table_->currentIndex().isValid())
        add(table_->currentIndex());
    paths.removeDuplicates();  // a group and runs of it
    return paths;
}

void RunsPage::moveInQueue(int by) {
    if (const QModelIndex current = table_->currentIndex(); current.isValid())
        edits_->moveInQueue(proxy_->at(current).path, proxy_->at(current).queuePlace + by);
}

QPoint RunsPage::placeOfCurrent() const {
    const QRect cell = table_->visualRect(table_->currentIndex().siblingAtColumn(RunsModel::Name));
    return table_->viewport()->mapToGlobal(cell.bottomLeft() + QPoint(46, 2));
}

void RunsPage::askTags() {
    ask_tags(edits_, chosen(), this, placeOfCurrent());
}

void RunsPage::askNote() {
    ask_note_on_runs(edits_, chosen(), this, placeOfCurrent());
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

void RunsPage::openColors(const QPoint& place, const QStringList& paths) {
    QMenu* menu = make_menu(this);
    for (int number = 1; number <= widgets::kRunColors; ++number)
        menu->addAction(swatch_icon(number, 16), colorName(number), this,
                        [this, paths, number] { edits_->setColor(paths, number); });
    menu->addSeparator();
    menu->addAction(tr("Automatic"), this, [this, paths] { edits_->setColor(paths, 0); });
    menu->popup(place);
}

void RunsPage::openMenu(const QPoint& position) {
    const QModelIndex index = table_->indexAt(position);
    if (!index.isValid())
        return;
    if (proxy_->groupAt(index) != nullptr)
        return openMenuOfGroup(position);
    const RunSummary run = proxy_->at(index);
    if (run.phase == RunPhase::Missing) {
        openMissingMenu(table_->viewport()->mapToGlobal(position), run.path);
        return;
    }
    const bool ours = run.isOurs();
    QMenu* menu = make_menu(this);
    const auto add = [&](const QString& text, const char* icon, const std::function<void()>& work) {
        return menu->addAction(Theme::instance().icon(QLatin1String(icon)), text, this, work);
    };
    const auto again = [&](const QString& text, const char* icon, const char* id) {
        return addAgain(menu, text, icon, id);
    };
    const auto ask = [&](const QString& text, const char* icon, const char* kind) {
        add(text, icon, [this, path = run.path, kind] { store_->request(path, QLatin1String(kind)); });
    };
    add(tr("Open dashboard") + QStringLiteral("\tEnter"), "runs", [this, path = run.path] {
        if (const RunSummary* now = store_->findPath(path))
            openRun(*now);
    });
    if (ours)
        add(tr("Open in a new window"), "screen", [this, run] { emit windowRequested(run.id); });
    again(tr("Compare"), "compare", "runs.select");
    menu->addSeparator();
    if (run.phase == RunPhase::Queued) {
        if (run.queuePlace > 0) {
            again(tr("Earlier in the queue"), "up", "runs.earlier");
            again(tr("Later in the queue"), "down", "runs.later");
            ask(tr("Start now"), "play", "start");
            ask(tr("Remove from the queue"), "stop", "stop");
        }
    } else if (run.phase == RunPhase::Abandoned) {
        add(tr("Queue again"), "resume", [this, run] { emit queueAgainRequested(run.path); });
    } else if (run.isLive()) {
        const bool paused = run.phase == RunPhase::Paused;
        ask(tr("Checkpoint now"), "ckpt", "checkpoint");
        ask(paused ? tr("Continue") : tr("Pause"), paused ? "resume" : "pause", paused ? "resume" : "pause");
        ask(tr("Stop after a checkpoint"), "stop", "stop");
    }
    menu->addSeparator();
    if (ours) {
        again(tr("Rename"), "wand", "runs.rename");
        again(tr("Tags…"), "tag", "runs.tags");
        again(tr("Note…"), "file", "runs.note");
        add(tr("Colour…"), "target",
            [this, position] { openColors(table_->viewport()->mapToGlobal(position), chosen()); });
        again(run.baseline ? tr("Stop using as baseline") : tr("Baseline for comparisons"), "merge", "runs.baseline");
        again(run.archived ? tr("Unarchive") : tr("Archive"), "archive", "runs.archive");
        menu->addSeparator();
        again(tr("Edit and run again…"), "wand", "request.edit_again");
        again(tr("Run again"), "resume", "request.again");
        if (!run.isLive() && !run.isOfProgram())
            add(tr("Continue with more steps…"), "play", [this, run] { emit continueRequested(run.path, run.name); });
    }
    add(tr("Open folder"), "folder", [this, run] { emit folderRequested(run.path); });
    add(tr("Copy path"), "copy", [run] { copy_text(run.path); });
    if (ours) {
        menu->addSeparator();
        QAction* remove = again(tr("Delete"), "trash", "runs.delete");
        if (run.isLive()) {
            remove->setEnabled(false);
            remove->setToolTip(tr("Stop the run first."));
        }
    } else {
        add(tr("Remove from the list"), "x", [this, run] { replaceFolder(run.path, {}); });
    }
    menu->popup(table_->viewport()->mapToGlobal(position));
}

/// A command of the list under another text, with its shortcut.
QAction* RunsPage::addAgain(QMenu* menu, const QString& text, const char* icon, const char* id) {
    const ActionCollection& commands = ActionCollection::instance();
    QAction* action = commands.actionIn(this, QLatin1String(id));
    return menu->addAction(Theme::instance().icon(QLatin1String(icon)),
                           text + QLatin1Char('\t') + commands.shortcutText(QLatin1String(id)), action,
                           &QAction::trigger);
}

/// An action on a group acts on all its runs.
void RunsPage::openMenuOfGroup(const QPoint& position) {
    table_->setCurrentIndex(table_->indexAt(position));
    QMenu* menu = make_menu(this);
    const bool collapsed = proxy_->groupAt(table_->currentIndex())->collapsed;
    menu->addAction(collapsed ? tr("Expand the group") : tr("Collapse the group"), this,
                    [this, collapsed] { foldCurrent(!collapsed); });
    addAgain(menu, tr("Compare"), "compare", "runs.select");
    menu->addSeparator();
    addAgain(menu, tr("Tags…"), "tag", "runs.tags");
    addAgain(menu, tr("Note…"), "file", "runs.note");
    menu->addAction(Theme::instance().icon(QStringLiteral("target")), tr("Colour…"), this,
                    [this, position] { openColors(table_->viewport()->mapToGlobal(position), chosen()); });
    addAgain(menu, tr("Archive"), "archive", "runs.archive");
    menu->addSeparator();
    addAgain(menu, tr("Delete"), "trash", "runs.delete");
    menu->popup(table_->viewport()->mapToGlobal(position));
}

void RunsPage::openMissingMenu(const QPoint& place, const QString& path) {
    QMenu* menu = make_menu(this);
    menu->addAction(Theme::instance().icon(QStringLiteral("search")), tr("Locate…"), this,
                    [this, path] { locate(path); });
    menu->addAction(Theme::instance().icon(QStringLiteral("x")), tr("Remove from the list"), this,
                    [this, path] { replaceFolder(path, {}); });
    menu->addAction(Theme::instance().icon(QStringLiteral("copy")), tr("Copy path"), this, [path] { copy_text(path); });
    menu->popup(place);
}

void RunsPage::locate(const QString& path) {
    widgets::ask_folder(this, tr("Where is %1 now?").arg(path),
                        [this, path](const QString& found) { replaceFolder(path, found); });
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
