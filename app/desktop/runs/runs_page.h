// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of runs: segments, filter, groups, table, and the drawer that compares the ticked runs of the list. Enter
// or a double click opens the dashboard. View settings are saved by ViewState under "place/runs". While the pointer
// is over the list, no row moves: messages are painted over its lower edge, and changes of the order wait. The head
// of a group stands for the runs in it: what is done to it is done to all of them.
// Keys in the list: Space ticks, Ctrl+A selects all, G groups, Left and Right collapse and expand a group, F2
// renames, T tags, O note, A archives, B baseline, R edits and runs again (the wizard with its answers), Shift+R runs
// again as it was, C opens and closes the comparison, Ctrl+C copies rows, Ctrl+E saves the list, Del deletes (undone
// by Ctrl+Z, as all edits are), Alt+Up and Alt+Down move a queued run, Alt+Left and Alt+Right walk the history of the
// window.

#include "desktop/runs/runs_proxy.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ChosenRuns;
class CompareDrawer;
class RunEdits;
class RunMessages;
class RunStore;
class RunsColumns;
class SavedFilters;
class TrashView;

class RunsPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "runs";  ///< in the registry of pages
    explicit RunsPage(RunStore* store, QWidget* parent = nullptr);
    ~RunsPage() override;
    QWidget* firstFocus() override;
    void find() override;
    void primaryAction() override;
    /// Selects runs for the comparison, by ids separated by commas.
    void activate(const QString& ids) override;
    QTableView* table() const { return table_; }
    QLineEdit* filter() const { return filter_; }
    RunsModel* model() const { return model_; }
    RunsColumns* columns() const { return columns_; }
    CompareDrawer* drawer() const { return drawer_; }
    /// Takes the drawer for its own window; it continues to show the selected runs. returnDrawer() puts it back.
    CompareDrawer* takeDrawer();
    void returnDrawer();
    widgets::SegmentedControl* segments() const { return segments_; }
    /// Folders of other programs' logs that were opened recently, one row each.
    void setImported(const QStringList& folders);
    /// Paths of the selected runs and of the runs of selected groups, else of the current row.
    QStringList chosen() const;
    void setGrouping(const Grouping& grouping);
    /// Writes all rows that match the filter, with the visible columns, as CSV. A message over the list reports the
    /// result.
    void saveTable(const QString& file);
    /// Replaces an opened or watched folder by its new path; an empty path removes it from the list.
    void replaceFolder(const QString& path, const QString& by);

  signals:
    void runActivated(const QString& runId);
    void importedActivated(const QString& folder);
    void folderRequested(const QString& path);
    /// Run again immediately with the same settings. `name`: of its recipe; empty for a program.
    void runAgainRequested(const QString& specFile, const QString& name);
    /// Edit the settings in the wizard.
    void editAgainRequested(const QString& specFile);
    /// A new run from the last checkpoint of this one, with more steps.
    void continueRequested(const QString& path, const QString& name);
    /// A folder of imported logs was replaced by another one, or removed if `by` is empty.
    void importedReplaced(const QString& folder, const QString& by);
    void windowRequested(const QString& runId);
    void compareWindowRequested();
    /// Queue an abandoned run again.
    void queueAgainRequested(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void makeTable();
    void makeDrawer();
    void makeActions();
    void storeChanged();
    void showSegment(int segment);
    void filterTyped(const QString& text);
    QStringList offerWords() const;
    void openRow(const QModelIndex& index);
    void openRun(const RunSummary& run);
    bool clicked(const QPoint& position);
    void openMore();
    void fillGroupMenu(QMenu* menu);
    void openGroupMenu();
    void foldCurrent(bool collapsed);
    void foldAll(bool collapsed);
    void openColumns();
    void keepCollapsed();
    void watchFolder();
    void setWatched(const QStringList& folders);
    void exportTable();
    void copySelection() const;
    void updateEmptyText();
    void tickedChanged();
    bool isInList(const RunSummary& run) const;
    void showTicked();
    void showTickedLine(int compared, int hidden);
    void holdRows();
    void releaseRows();
    void showWaiting();
    void showBrushed(bool any, const QSet<QString>& paths);
    void selectRuns(const QSet<QString>& paths);
    void restoreView();
    void keep(const QString& name, const QJsonValue& value);

    RunStore* store_;
    RunEdits* edits_;
    RunsModel* model_;
    RunsProxy* proxy_;
    QTableView* table_;
    QLineEdit* filter_;
    RunMessages* messages_;
    ChosenRuns* chosen_ = nullptr;
    QLabel* empty_label_;
    widgets::SegmentedControl* segments_;
    RunsColumns* columns_ = nullptr;
    QPushButton* columns_button_;
    QPushButton* more_;
    QWidget* ticked_line_;  ///< ticked runs that are not compared
    QLabel* ticked_words_;
    QPushButton* compare_;
    QPushButton* show_ticked_;
    SavedFilters* saved_filters_;
    widgets::Job export_;
    CompareDrawer* drawer_;
    QSplitter* splitter_;
    TrashView* trash_;
    QStringList gone_ticks_;  ///< paths of runs that were ticked when they were deleted
    QStringList watched_, imported_;
    QStringList last_ticked_;
    bool name_unknown_ = false;  ///< the filter has a name that no run has
    bool drawer_aside_ = false;  ///< it has a window of its own
    bool drawer_wanted_ = true;  ///< false: the user closed it; the next run that is ticked opens it again
    bool all_wanted_ = false;    ///< filter and segment must not hide a ticked run
    bool restoring_ = true;
};

}  // namespace trainyard::desktop
