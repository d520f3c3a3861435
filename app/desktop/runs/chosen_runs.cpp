// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/chosen_runs.h"

#include <algorithm>

#include <QAction>
#include <QMenu>
#include <QTableView>

#include "desktop/dashboard/swatch.h"
#include "desktop/runs/run_edit_popups.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/consent.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {
QString colorName(int number) {
    static constexpr const char* names[] = {QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "azure"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "orange"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "mint"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "mauve"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "straw"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "violet"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "ice"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "raspberry"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "olive"),
                                            QT_TRANSLATE_NOOP("trainyard::desktop::ChosenRuns", "mist")};
    return QCoreApplication::translate("trainyard::desktop::ChosenRuns", names[(number - 1) % widgets::kRunColors]);
}
}  // namespace

ChosenRuns::ChosenRuns(QTableView* table, RunsModel* model, RunsProxy* proxy, RunStore* store, QWidget* page)
    : QObject(page),
      table_(table),
      model_(model),
      proxy_(proxy),
      store_(store),
      edits_(RunEdits::of(store)),
      page_(page) {
    addCommands();
}

void ChosenRuns::addCommands() {
    // Single letters act only while the list has the focus, never while the user types.
    const auto add = [this](const char* id, const std::function<void()>& run) {
        ActionCollection::instance().addFor(table_, id, page_, run);
    };
    add("runs.select", [this] { toggleTicks(paths()); });
    add("runs.rename", [this] {
        if (const QModelIndex current = table_->currentIndex();
            current.isValid() && proxy_->groupAt(current) == nullptr)
            table_->edit(current.siblingAtColumn(RunsModel::Name));
    });
    add("runs.tags", [this] { ask_tags(edits_, paths(), page_, placeOfCurrent()); });
    add("runs.note", [this] { ask_note_on_runs(edits_, paths(), page_, placeOfCurrent()); });
    add("runs.archive", [this] {
        const QStringList chosen = paths();
        const bool all = std::all_of(chosen.begin(), chosen.end(), [this](const QString& path) {
            const RunSummary* run = store_->findPath(path);
            return run != nullptr && run->archived;
        });
        edits_->setArchived(chosen, !all);
    });
    add("runs.baseline", [this] {
        if (const QStringList chosen = paths(); !chosen.isEmpty())
            edits_->setBaseline(chosen.first());
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
    add("request.checkpoint", [this] { request(run::CheckpointRequest()); });
    add("request.pause", [this] { request(run::PauseRequest()); });
    add("request.stop", [this] { request(run::StopRequest()); });
    add("runs.delete", [this] { edits_->remove(paths()); });
    add("runs.earlier", [this] { moveInQueue(-1); });
    add("runs.later", [this] { moveInQueue(1); });
}

/// Asks the active run in the current row for a checkpoint, to pause or continue, or, after a question, to stop.
void ChosenRuns::request(const run::RequestBody& request) {
    const QModelIndex current = table_->currentIndex();
    if (!current.isValid() || proxy_->groupAt(current) != nullptr)
        return;
    const RunSummary& run = proxy_->at(current);
    const bool stops = std::holds_alternative<run::StopRequest>(request);
    if (!run.isLive() || (run.isOfProgram() && !stops))
        return;
    if (stops)
        return ask_to_stop(page_, store_, run);
    const bool resumes = std::holds_alternative<run::PauseRequest>(request) && run.phase == RunPhase::Paused;
    store_->request(run.path, resumes ? run::ResumeRequest() : request);
}

QStringList ChosenRuns::paths() const {
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

void ChosenRuns::toggleTicks(const QStringList& paths) {
    model_->tick(paths,
                 !std::ranges::all_of(paths, [this](const QString& path) { return model_->ticked().contains(path); }));
}

void ChosenRuns::moveInQueue(int by) {
    if (const QModelIndex current = table_->currentIndex(); current.isValid())
        edits_->moveInQueue(proxy_->at(current).path, proxy_->at(current).queuePlace + by);
}

QPoint ChosenRuns::placeOfCurrent() const {
    const QRect cell = table_->visualRect(table_->currentIndex().siblingAtColumn(RunsModel::Name));
    return table_->viewport()->mapToGlobal(cell.bottomLeft() + QPoint(46, 2));
}

void ChosenRuns::openColors(const QPoint& place, const QStringList& paths) {
    QMenu* menu = make_menu(page_);
    for (int number = 1; number <= widgets::kRunColors; ++number)
        menu->addAction(swatch_icon(number, 16), colorName(number), this,
                        [this, paths, number] { edits_->setColor(paths, number); });
    menu->addSeparator();
    menu->addAction(tr("Automatic"), this, [this, paths] { edits_->setColor(paths, 0); });
    menu->popup(place);
}

void ChosenRuns::openMenu(const QPoint& position) {
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
    QMenu* menu = make_menu(page_);
    const auto add = [&](const QString& text, const char* icon, const std::function<void()>& work) {
        return menu->addAction(Theme::instance().icon(QLatin1String(icon)), text, this, work);
    };
    const auto again = [&](const QString& text, const char* icon, const char* id) {
        return addAgain(menu, text, icon, id);
    };
    const auto ask = [&](const QString& text, const char* icon, const run::RequestBody& request) {
        add(text, icon, [this, path = run.path, request] { store_->request(path, request); });
    };
    add(tr("Open dashboard") + QStringLiteral("\tEnter"), "runs", [this, path = run.path] {
        if (const RunSummary* now = store_->findPath(path))
            emit openRequested(*now);
    });
    if (ours)
        add(tr("Open in a new window"), "screen", [this, run] { emit windowRequested(run.id); });
    again(tr("Compare"), "compare", "runs.select");
    menu->addSeparator();
    if (run.phase == RunPhase::Queued) {
        if (run.queuePlace > 0) {
            again(tr("Earlier in the queue"), "up", "runs.earlier");
            again(tr("Later in the queue"), "down", "runs.later");
            ask(tr("Start now"), "play", run::StartRequest());
            ask(tr("Remove from the queue"), "stop", run::StopRequest());
        }
    } else if (run.phase == RunPhase::Abandoned) {
        add(tr("Queue again"), "resume", [this, run] { emit queueAgainRequested(run.path); });
    } else if (run.isLive()) {
        const bool paused = run.phase == RunPhase::Paused;
        ask(tr("Checkpoint now"), "ckpt", run::CheckpointRequest());
        if (paused)
            ask(tr("Continue"), "resume", run::ResumeRequest());
        else
            ask(tr("Pause"), "pause", run::PauseRequest());
        ask(tr("Stop after a checkpoint"), "stop", run::StopRequest());
    }
    menu->addSeparator();
    if (ours) {
        again(tr("Rename"), "wand", "runs.rename");
        again(tr("Tags…"), "tag", "runs.tags");
        again(tr("Note…"), "file", "runs.note");
        add(tr("Colour…"), "target",
            [this, position] { openColors(table_->viewport()->mapToGlobal(position), paths()); });
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
        add(tr("Remove from the list"), "x", [this, run] { emit replaceRequested(run.path, {}); });
    }
    menu->popup(table_->viewport()->mapToGlobal(position));
}

/// A command of the list under another text, with its shortcut.
QAction* ChosenRuns::addAgain(QMenu* menu, const QString& text, const char* icon, const char* id) {
    const ActionCollection& commands = ActionCollection::instance();
    QAction* action = commands.actionIn(page_, QLatin1String(id));
    return menu->addAction(Theme::instance().icon(QLatin1String(icon)),
                           text + QLatin1Char('\t') + commands.shortcutText(QLatin1String(id)), action,
                           &QAction::trigger);
}

/// An action on a group acts on all its runs.
void ChosenRuns::openMenuOfGroup(const QPoint& position) {
    table_->setCurrentIndex(table_->indexAt(position));
    QMenu* menu = make_menu(page_);
    const bool collapsed = proxy_->groupAt(table_->currentIndex())->collapsed;
    menu->addAction(collapsed ? tr("Expand the group") : tr("Collapse the group"), this,
                    [this, collapsed] { emit foldRequested(!collapsed); });
    addAgain(menu, tr("Compare"), "compare", "runs.select");
    menu->addSeparator();
    addAgain(menu, tr("Tags…"), "tag", "runs.tags");
    addAgain(menu, tr("Note…"), "file", "runs.note");
    menu->addAction(Theme::instance().icon(QStringLiteral("target")), tr("Colour…"), this,
                    [this, position] { openColors(table_->viewport()->mapToGlobal(position), paths()); });
    addAgain(menu, tr("Archive"), "archive", "runs.archive");
    menu->addSeparator();
    addAgain(menu, tr("Delete"), "trash", "runs.delete");
    menu->popup(table_->viewport()->mapToGlobal(position));
}

void ChosenRuns::openMissingMenu(const QPoint& place, const QString& path) {
    QMenu* menu = make_menu(page_);
    menu->addAction(Theme::instance().icon(QStringLiteral("search")), tr("Locate…"), this, [this, path] {
        widgets::ask_folder(page_, tr("Where is %1 now?").arg(path),
                            [this, path](const QString& found) { emit replaceRequested(path, found); });
    });
    menu->addAction(Theme::instance().icon(QStringLiteral("x")), tr("Remove from the list"), this,
                    [this, path] { emit replaceRequested(path, {}); });
    menu->addAction(Theme::instance().icon(QStringLiteral("copy")), tr("Copy path"), this, [path] { copy_text(path); });
    menu->popup(place);
}

}  // namespace trainyard::desktop
