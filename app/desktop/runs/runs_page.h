#pragma once
// The list of runs: segments, filter, table, and the drawer that compares those that are ticked. Enter or a double click opens the
// dashboard. How it was looked at is kept by ViewState under "place/runs".
// Keys in the list: Space ticks, F2 renames, T tags, O note, A archives, B baseline, R edits and runs again (the wizard
// with its answers), Shift+R runs again as it was, C opens and closes the comparison, Ctrl+C copies rows, Ctrl+E saves
// the list, Del deletes (undone by Ctrl+Z, as all edits are), Alt+Up and Alt+Down move a queued run, Alt+Left and
// Alt+Right walk the history of the window.

#include <QTimer>

#include "desktop/page.h"
#include "desktop/runs/runs_model.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class CompareDrawer;
class RunEdits;
class RunStore;
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
    /// Ids of runs with commas between them: ticked, so that they are compared.
    void activate(const QString& ids) override;
    QTableView* table() const { return table_; }
    QLineEdit* filter() const { return filter_; }
    RunsModel* model() const { return model_; }
    CompareDrawer* drawer() const { return drawer_; }
    /// For a window of its own; what is ticked stays what it shows. It comes back by returnDrawer().
    CompareDrawer* takeDrawer();
    void returnDrawer();
    widgets::SegmentedControl* segments() const { return segments_; }
    /// Folders of other programs' logs that were opened lately: a row each.
    void setImported(const QStringList& folders);
    /// Paths of the selected rows, else of the current one.
    QStringList chosen() const;
    void setColumnShown(int column, bool shown);
    void setExtraColumn(const QString& name, bool shown);
    void saveFilter(const QString& name);
    /// All rows that the filter lets through, with the columns that are shown, as CSV; told() says how it went.
    void saveTable(const QString& file);
    QString told() const;
    /// A folder that was opened or watched: it is elsewhere now (nothing: no longer wanted in the list).
    void replaceFolder(const QString& path, const QString& by);

  signals:
    void runActivated(const QString& runId);
    void importedActivated(const QString& folder);
    void folderRequested(const QString& path);
    /// As it was, at once. `name`: of its recipe; empty: a program's.
    void runAgainRequested(const QString& specFile, const QString& name);
    /// In the wizard.
    void editAgainRequested(const QString& specFile);
    /// Logs of others whose folder is to be forgotten, and the one that takes its place; empty: none.
    void importedReplaced(const QString& folder, const QString& by);
    void windowRequested(const QString& runId);
    void compareWindowRequested();
    /// A queued run that nobody waits for shall wait again.
    void queueAgainRequested(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void makeTable();
    void makeDrawer();
    void makeActions();
    QAction* addCommand(const QString& text, const char* icon, const char* keys, const std::function<void()>& run);
    void storeChanged();
    void showSegment(int segment);
    void filterTyped(const QString& text);
    QStringList offerWords() const;
    void sortClicked(int column);
    void openRow(const QModelIndex& index);
    bool clicked(const QPoint& position);
    void openMenu(const QPoint& position);
    void openMore();
    void openColumns();
    void openColors(const QPoint& place, const QStringList& paths);
    void moveInQueue(int by);
    void askTags();
    void askNote();
    void askFilterName();
    void watchFolder();
    void setWatched(const QStringList& folders);
    void openMissingMenu(const QPoint& place, const QString& path);
    void locate(const QString& path);
    void exportTable();
    void copySelection() const;
    QVector<QStringList> tableOf(const QVector<int>& rows) const;
    void updateEmptyText();
    void fitColumns();
    void tickedChanged();
    void showBrushed(bool any, const QSet<QString>& paths);
    void selectRuns(const QSet<QString>& paths);
    void tell(const QString& words, bool undoable = true);
    void showSavedFilters();
    QPoint placeOfCurrent() const;
    void restoreView();
    void keep(const QString& name, const QJsonValue& value);
    void keepColumns();

    RunStore* store_;
    RunEdits* edits_;
    RunsModel* model_;
    RunsProxy* proxy_;
    QTableView* table_;
    QLineEdit* filter_;
    QLabel* complaint_;
    QLabel* nothing_;
    widgets::SegmentedControl* segments_;
    QPushButton* columns_;
    QPushButton* more_;
    QWidget* told_;
    QLabel* told_words_;
    QPushButton* told_undo_;
    QTimer told_timer_;
    QWidget* saved_row_;
    QWidget* brushed_;
    widgets::Job export_;
    QLabel* brushed_words_;
    CompareDrawer* drawer_;
    QSplitter* splitter_;
    TrashView* trash_;
    QSet<int> hidden_;        ///< columns that people hid
    QStringList gone_ticks_;  ///< paths of runs that were ticked when they were deleted
    QStringList watched_, imported_;
    QVector<std::pair<QString, QString>> saved_filters_;
    bool drawer_aside_ = false;  ///< it has a window of its own
    bool drawer_wanted_ = true;  ///< opens by itself with a tick until it is closed
    bool restoring_ = true;
};

}  // namespace trainyard::desktop
