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
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_page.h"
#include "desktop/runs/word_popup.h"
#include "desktop/ui.h"
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

QAction* RunsPage::addCommand(const QString& text, const char* icon, const char* keys,
                              const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcut(QKeySequence(QLatin1String(keys)));
    // Single letters act only while the list has the focus, never while the user types.
    const bool letters = !action->shortcut().toString().startsWith(QLatin1String("Ctrl+"));
    action->setShortcutContext(letters ? Qt::WidgetShortcut : Qt::WidgetWithChildrenShortcut);
    action->setProperty("iconName", QLatin1String(icon));
    connect(action, &QAction::triggered, this, run);
    if (letters)
        table_->addAction(action);
    addAction(action);
    return action;
}

void RunsPage::makeActions() {
    addCommand(tr("Select for comparison"), "check", "Space", [this] {
        for (const QString& path : chosen())
            model_->toggle(path);
    });
    addCommand(tr("Compare the selected runs"), "compare", "C", [this] {
        if (model_->ticked().isEmpty())
            model_->setTicked(chosen());
        else if (drawer_aside_)
            emit compareWindowRequested();
        else {
            drawer_wanted_ = drawer_->isHidden();
            tickedChanged();
        }
    });
    addCommand(tr("Deselect all runs"), "x", "Shift+C", [this] { model_->setTicked({}); });
    addCommand(tr("Rename the run"), "wand", "F2", [this] {
        if (const QModelIndex current = table_->currentIndex(); current.isValid())
            table_->edit(current.siblingAtColumn(RunsModel::Name));
    });
    addCommand(tr("Tags of the run…"), "tag", "T", [this] { askTags(); });
    addCommand(tr("Note on the run…"), "file", "O", [this] { askNote(); });
    addCommand(tr("Archive or unarchive the run"), "archive", "A", [this] {
        const QStringList paths = chosen();
        const bool all = std::all_of(paths.begin(), paths.end(), [this](const QString& path) {
            const RunSummary* run = store_->findPath(path);
            return run != nullptr && run->archived;
        });
        edits_->setArchived(paths, !all);
    });
    addCommand(tr("Baseline: compare others with this run"), "target", "B", [this] {
        if (const QStringList paths = chosen(); !paths.isEmpty())
            edits_->setBaseline(paths.first());
    });
    addCommand(tr("Edit and run again…"), "wand", "R", [this] {
        if (const QModelIndex current = table_->currentIndex(); current.isValid() && proxy_->at(current).isOurs())
            emit editAgainRequested(proxy_->at(current).path + QStringLiteral("/run.yaml"));
    });
    addCommand(tr("Run again"), "resume", "Shift+R", [this] {
        if (const QModelIndex current = table_->currentIndex(); current.isValid() && proxy_->at(current).isOurs()) {
            const RunSummary& run = proxy_->at(current);
            emit runAgainRequested(run.path + QStringLiteral("/run.yaml"), run.isOfProgram() ? QString() : run.name);
        }
    });
    addCommand(tr("Delete the run"), "trash", "Del", [this] { edits_->remove(chosen()); });
    addCommand(tr("Earlier in the queue"), "up", "Alt+Up", [this] { moveInQueue(-1); });
    addCommand(tr("Later in the queue"), "down", "Alt+Down", [this] { moveInQueue(1); });
    addCommand(tr("Undo the last change to runs"), "undo", "Ctrl+Z", [this] {
        edits_->stack()->undo();
        showMessage(undo_line_, false);
    });
    QAction* redo =
        addCommand(tr("Redo the last undone change"), "resume", "Ctrl+Shift+Z", [this] { edits_->stack()->redo(); });
    redo->setShortcuts({redo->shortcut(), QKeySequence(QStringLiteral("Ctrl+Y"))});
    addCommand(tr("Columns of the run list…"), "panel", "", [this] { openColumns(); });
    addCommand(tr("Save the list as a table…"), "save", "Ctrl+E", [this] { exportTable(); });
    addCommand(tr("Watch a folder of runs…"), "folder", "", [this] { watchFolder(); });
    addCommand(tr("Save this filter…"), "filter", "", [this] { askFilterName(); });
}

QStringList RunsPage::chosen() const {
    QStringList paths;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
        paths << proxy_->at(row).path;
    if (paths.isEmpty() && table_->currentIndex().isValid())
        paths << proxy_->at(table_->currentIndex()).path;
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
    const QStringList paths = chosen();
    const RunSummary* first = paths.isEmpty() ? nullptr : store_->findPath(paths.first());
    if (first == nullptr)
        return;
    QStringList known;
    for (const RunSummary& run : store_->runs())
        known << run.tags;
    known.removeDuplicates();
    const bool one = paths.size() == 1;
    auto* popup = new WordPopup(
        one ? tr("Tags of %1").arg(first->name) : tr("Tags of %n runs", nullptr, static_cast<int>(paths.size())),
        one ? first->tags.join(QLatin1Char(' ')) : QString(),
        one ? tr("Separate tags with spaces") : tr("+tag adds a tag to all of them, -tag removes it"), known,
        [this, paths](const QString& words) { edits_->setTags(paths, words); }, this);
    popup->popup(placeOfCurrent());
}

void RunsPage::askNote() {
    const QStringList paths = chosen();
    const RunSummary* first = paths.isEmpty() ? nullptr : store_->findPath(paths.first());
    if (first == nullptr)
        return;
    auto* popup = new WordPopup(
        tr("Note on %1").arg(first->name), first->note, {}, {},
        [this, paths](const QString& words) { edits_->setNote(paths, words); }, this);
    popup->popup(placeOfCurrent());
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
    menu->addAction(tr("Watch a folder of runs…"), this, &RunsPage::watchFolder);
    for (const QString& folder : std::as_const(watched_))
        menu->addAction(tr("Stop watching %1").arg(folder), this, [this, folder] { replaceFolder(folder, {}); });
    menu->addSeparator();
    menu->addAction(tr("Save the list as a table…"), this, &RunsPage::exportTable);
    menu->addAction(tr("Deselect all runs"), this, [this] { model_->setTicked({}); })
        ->setEnabled(!model_->ticked().isEmpty());
    menu->addAction(tr("Undo"), edits_->stack(), &QUndoStack::undo)->setEnabled(edits_->stack()->canUndo());
    menu->addAction(tr("Redo"), edits_->stack(), &QUndoStack::redo)->setEnabled(edits_->stack()->canRedo());
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
    // The shortcut is only displayed here; the action of the list handles it.
    const auto again = [&](const QString& text, const char* icon, const char* keys) {
        return add(text + QLatin1Char('\t') + QLatin1String(keys), icon, [this, keys] {
            for (QAction* action : QWidget::actions())
                if (action->shortcut() == QKeySequence(QLatin1String(keys)))
                    action->trigger();
        });
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
    again(tr("Compare"), "compare", "Space");
    menu->addSeparator();
    if (run.phase == RunPhase::Queued) {
        if (run.queuePlace > 0) {
            again(tr("Earlier in the queue"), "up", "Alt+Up");
            again(tr("Later in the queue"), "down", "Alt+Down");
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
        again(tr("Rename"), "wand", "F2");
        again(tr("Tags…"), "tag", "T");
        again(tr("Note…"), "file", "O");
        add(tr("Colour…"), "target",
            [this, position] { openColors(table_->viewport()->mapToGlobal(position), chosen()); });
        again(run.baseline ? tr("Stop using as baseline") : tr("Baseline for comparisons"), "merge", "B");
        again(run.archived ? tr("Unarchive") : tr("Archive"), "archive", "A");
        menu->addSeparator();
        again(tr("Edit and run again…"), "wand", "R");
        again(tr("Run again"), "resume", "Shift+R");
    }
    add(tr("Open folder"), "folder", [this, run] { emit folderRequested(run.path); });
    add(tr("Copy path"), "copy", [run] { copy_text(run.path); });
    if (ours) {
        menu->addSeparator();
        QAction* remove = again(tr("Delete"), "trash", "Del");
        if (run.isLive()) {
            remove->setEnabled(false);
            remove->setToolTip(tr("Stop the run first."));
        }
    } else {
        add(tr("Remove from the list"), "x", [this, run] { replaceFolder(run.path, {}); });
    }
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
