// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What can be done to the runs that are selected in the list: the commands with their shortcuts, and the menus of a
// run, of a group and of a folder that is missing. Edits go to RunEdits, requests to the store; what needs another page
// is a signal.

#include "desktop/runs/runs_proxy.h"
#include "run/request_body.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunEdits;
class RunStore;

class ChosenRuns : public QObject {
    Q_OBJECT
  public:
    /// `page`: owner of the commands and menus. `table` shows `proxy`.
    ChosenRuns(QTableView* table, RunsModel* model, RunsProxy* proxy, RunStore* store, QWidget* page);

    /// Paths of the selected runs and of the runs of selected groups, else of the current row.
    QStringList paths() const;
    /// Ticks all of these runs, or unticks them if all are ticked.
    void toggleTicks(const QStringList& paths);
    void openColors(const QPoint& place, const QStringList& paths);
    /// The menu of the row at this position of the table.
    void openMenu(const QPoint& position);
    void openMissingMenu(const QString& path) { openMissingMenu(placeOfCurrent(), path); }

  signals:
    void openRequested(const trainyard::desktop::RunSummary& run);
    void foldRequested(bool collapsed);
    /// A folder is now at `by`; empty: it is to be removed from the list.
    void replaceRequested(const QString& path, const QString& by);
    // As those of RunsPage.
    void folderRequested(const QString& path);
    void runAgainRequested(const QString& specFile, const QString& name);
    void editAgainRequested(const QString& specFile);
    void continueRequested(const QString& path, const QString& name);
    void windowRequested(const QString& runId);
    void queueAgainRequested(const QString& path);

  private:
    void addCommands();
    void request(const run::RequestBody& request);
    void moveInQueue(int by);
    QPoint placeOfCurrent() const;
    QAction* addAgain(QMenu* menu, const QString& text, const char* icon, const char* id);
    void openMenuOfGroup(const QPoint& position);
    void openMissingMenu(const QPoint& place, const QString& path);

    QTableView* table_;
    RunsModel* model_;
    RunsProxy* proxy_;
    RunStore* store_;
    RunEdits* edits_;
    QWidget* page_;
};

}  // namespace trainyard::desktop
