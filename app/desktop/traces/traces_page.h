#pragma once
// Where the time of a step went, on which rank: the timeline of a profiler trace, its steps, tables of what is selected, search, comparison.

#include <functional>
#include <memory>
#include <optional>

#include <QElapsedTimer>
#include <QStringList>
#include <QTimer>

#include "desktop/page.h"
#include "desktop/traces/opened_trace.h"
#include "desktop/traces/selection.h"
#include "desktop/traces/trace_reading.h"
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
    ~TracesPage() override;
    /// For activate(): the trace of this file, with the other ranks of its profile, at a step and, unless it is negative, a rank.
    static QString subjectOf(const QString& file, qint64 step, int rank);
    /// Of a subject that is no path: the folder of a run.
    void setFolderOf(std::function<QString(const QString& subject)> folder) { folder_of_ = std::move(folder); }
    /// Brings what lies on another machine; called in the thread that reads.
    void setFetch(FetchTraces fetch) { fetch_ = std::move(fetch); }
    /// Files that are ranks of one training, one file, or one folder.
    void openPaths(const QStringList& paths);
    void compareWith(const QString& path);
    /// Two ranks (groups of the timeline) in the selected range, else in the whole trace.
    void compareRanks(int before, int after);
    void saveTable(const QString& file);
    /// Of the timeline, or of the flame graph where that is shown.
    void savePicture(const QString& file);
    /// The selected range, of the selected rank or of all, as a trace of its own.
    void saveSelection(const QString& file);
    /// Ends reading; what has been read is shown.
    void stopReading();
    bool isReading() const { return reading_ != nullptr; }
    /// The tables of a selection wait for its end, or are being made.
    bool isSelecting() const;

    const OpenedTrace* trace() const { return trace_.get(); }
    /// Slices that the search, or the chosen row of a table, found.
    const std::vector<traces::SearchHit>& hits() const { return hits_; }
    int hit() const { return hit_; }
    void goToHit(int by);

    void activate(const QString& subject) override;
    QWidget* firstFocus() override;
    void primaryAction() override { chooseFiles(); }
    void find() override;
    void refresh() override;
    Shortcuts shortcuts() const override;

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
    void addKeys();
    void chooseFiles();
    void chooseFolder();
    void chooseOther();
    void chooseRanks();
    void chooseTableFile();
    void choosePictureFile();
    void chooseSelectionFile();
    void saved(const QString& file, const QString& problem);
    void showComparison(const traces::TraceComparison& comparison, const QString& before, const QString& after);

    struct Wanted {
        qint64 step = 0;
        int rank = -1;
    };
    void goToWanted();
    void follow();
    void showTrace(const std::shared_ptr<OpenedTrace>& trace, bool whole);
    void showFailure(const QString& sentence);
    void showTools(bool shown);
    void endReading();
    void showSelection();
    void search();
    void setHits(std::vector<traces::SearchHit> hits, bool go);
    void showHits();
    void chooseRow(const TraceRow& row, bool again);
    void arrange();
    void keepArrangement();
    QString selectionWords(const TraceSelection& selection) const;

    std::function<QString(const QString&)> folder_of_;
    FetchTraces fetch_;
    QStringList paths_;
    std::optional<Wanted> wanted_;  ///< where to go when the trace has been read
    std::shared_ptr<OpenedTrace> trace_;
    std::shared_ptr<TraceReading> reading_;
    QElapsedTimer since_;
    QTimer follow_timer_, select_timer_, search_timer_;
    std::vector<traces::SearchHit> hits_;
    int hit_ = -1;
    bool by_name_ = false, shows_plan_ = true;
    QString row_name_, row_category_;

    QLineEdit* find_;
    widgets::ElidedLabel* found_;
    QComboBox* order_;
    QPushButton* more_;
    widgets::InlineMessage* message_;
    QWidget* progress_line_;
    QProgressBar* progress_;
    widgets::ElidedLabel* progress_words_;
    QStackedWidget* stack_;
    StepPicker* steps_;
    widgets::TimelineView* timeline_;
    SelectionPanel* selection_;
    widgets::SegmentedControl* right_tabs_;
    SharePanel* share_;
    SlicePanel* slice_;
    widgets::Job read_job_, select_job_, search_job_, compare_job_, save_job_, excerpt_job_;
};

}  // namespace trainyard::desktop
