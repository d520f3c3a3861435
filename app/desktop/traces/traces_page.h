// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows where the time of a step was spent, and on which rank: the timeline of a profiler trace, its steps, tables of
// the selection, search and comparison.

#include <functional>
#include <memory>
#include <optional>

#include <QStringList>
#include <QTimer>

#include "desktop/shell/page.h"
#include "desktop/traces/opened_trace.h"
#include "desktop/traces/profile_model.h"
#include "desktop/traces/reading_line.h"
#include "desktop/traces/selection.h"
#include "desktop/traces/trace_search.h"
#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard::desktop {

class SelectionPanel;
class SharePanel;
class SlicePanel;
class StepPicker;

class TracesPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "traces";  ///< in the registry of pages

    explicit TracesPage(QWidget* parent = nullptr);
    /// The subject for activate(): the trace in this file, with the other ranks of its profile, at a step and, unless
    /// negative, a rank.
    static QString subjectOf(const QString& file, qint64 step, int rank);
    /// Sets the function that returns the run folder of a subject that is not a path.
    void setFolderOf(std::function<QString(const QString& subject)> folder) { folder_of_ = std::move(folder); }
    /// Sets the function that downloads files of another machine; called in the reading thread.
    void setFetch(FetchTraces fetch) { reading_->setFetch(std::move(fetch)); }
    /// Sets the runs whose profiles are listed.
    void setRuns(const QVector<ProfilePlace>& runs);
    /// The list of recorded profiles is being read.
    bool isListing() const { return list_job_.isRunning(); }
    /// Opens files that are ranks of one training, one file, or one folder.
    void openPaths(const QStringList& paths);
    void compareWith(const QString& path);
    /// Compares two ranks (groups of the timeline) in the selected range, or in the whole trace.
    void compareRanks(int before, int after);
    void saveTable(const QString& file);
    /// Saves the timeline, or the flame graph if it is shown.
    void savePicture(const QString& file);
    /// Saves the selected range, of the selected rank or of all, as a separate trace.
    void saveSelection(const QString& file);
    bool isReading() const { return reading_->isReading(); }
    /// The tables of the selection are pending or being computed.
    bool isSelecting() const;

    const OpenedTrace* trace() const { return trace_.get(); }
    /// Slices found by the search or for the chosen row of a table.
    const std::vector<traces::SearchHit>& hits() const { return search_->hits(); }
    int hit() const { return search_->hit(); }

    void activate(const QString& subject) override;
    QWidget* firstFocus() override;
    void primaryAction() override { chooseFiles(); }
    void find() override;
    void refresh() override;
    void updateActions() override;

  signals:
    void runsRequested();
    void said(const QString& sentence);

  private:
    void makeHeader();
    void makeMenu(QPushButton* more);
    void makeBody();
    QWidget* makeContent();
    void foldAll(bool folded);
    QWidget* makeRight();
    void addActions();
    void chooseFiles();
    void chooseFolder();
    void chooseOther();
    void chooseRanks();
    void chooseTableFile();
    void choosePictureFile();
    void chooseSelectionFile();
    void saved(const QString& file, const QString& problem);
    void showComparison(const traces::TraceComparison& comparison, const QString& before, const QString& after);

    enum StackPage { kEmpty, kTrace, kList };
    struct Wanted {
        qint64 step = 0;
        int rank = -1;
    };
    QWidget* makeList();
    void findProfiles();
    void showList(bool shown);
    void openProfile(int row);
    void remember();
    void goToWanted();
    void showTrace(const std::shared_ptr<OpenedTrace>& trace, bool whole);
    void showFailure(const QString& sentence);
    void showTools(bool shown);
    void showSelection();
    void chooseRow(const TraceRow& row, bool again);
    void arrange();
    void keepArrangement();
    QString selectionWords(const TraceSelection& selection) const;

    std::function<QString(const QString&)> folder_of_;
    QStringList paths_;
    QVector<ProfilePlace> runs_;
    double profiles_found_s_ = -1e9;  ///< monotonic seconds when profiles were last looked for
    bool returned_ = false;           ///< the trace of the last session was opened, or another one
    std::optional<Wanted> wanted_;    ///< where to go when the trace has been read
    std::shared_ptr<OpenedTrace> trace_;
    QList<QAction*> of_trace_;  ///< actions that need a trace
    QTimer select_timer_;
    bool by_name_ = false, shows_plan_ = true;

    TraceSearch* search_;
    QComboBox* order_;
    QPushButton *recorded_, *more_;
    ProfileModel* profiles_;
    QTableView* profile_table_;
    widgets::InlineMessage* message_;
    ReadingLine* reading_;
    QStackedWidget* stack_;
    StepPicker* steps_;
    widgets::TimelineView* timeline_;
    SelectionPanel* selection_;
    widgets::SegmentedControl* right_tabs_;
    SharePanel* share_;
    SlicePanel* slice_;
    widgets::Job list_job_, select_job_, compare_job_, save_job_, excerpt_job_;
};

}  // namespace trainyard::desktop
