// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The dashboard of one run: progress of the loss, speed, remaining time, and failures. Reads the run directory through
// RunRecord and writes requests; does no input or output of its own. Works for active, ended, failed, lost and empty
// runs.

#include <QTimer>
#include <QVector>

#include "desktop/dashboard/event_markers.h"
#include "desktop/dashboard/run_record.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ConfigDiffPanel;
class ClassesPanel;
class CurvesPanel;
class EventsPanel;
class FailurePanel;
class HealthPanel;
class HostsPanel;
class LogPanel;
class LossPanel;
class ProgressLine;
class RanksPanel;
class RunActions;
class RunHeader;
class RunView;
class SamplesPanel;
class SmallChart;
class StartPanel;
class TileRow;
struct RunLabels;
class UnsentRecords;

class RunPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "run";  ///< in the registry of pages
    explicit RunPage(trainyard::run::RunPaths run, QWidget* parent = nullptr);
    ~RunPage() override;

    RunRecord* record() const { return record_; }
    widgets::InlineMessage* warning() const { return warning_; }
    widgets::InlineMessage* strip() const { return strip_; }
    RunHeader* header() const { return header_; }
    /// Name, tags and note of the run, from the list of runs.
    void setLabels(const RunLabels& labels);
    UnsentRecords* unsent() const { return unsent_; }

    /// Returns the page itself, so that its keys work and no control looks selected when the page is opened.
    QWidget* firstFocus() override { return this; }
    /// Ctrl+F: find in the log.
    void find() override;
    bool hasTrainingSteps() const override { return true; }
    /// Moves the crosshair of all charts to the point nearest to the step.
    void showTrainingStep(double step) override;
    void setUnit(widgets::XUnit unit);
    /// Shows all curves instead of the overview; with a tag, scrolls to its card.
    void showCurves(bool curves, const QString& tag = {});

  signals:
    void openFolderRequested(const QString& folder);
    void tracesRequested(const QString& folder);
    void tryRequested(const QString& folder);  ///< prompts for its checkpoints
    /// A trace of this run at a step, and a rank (-1: none in particular).
    void traceRequested(const QString& file, qint64 step, int rank);
    void windowRequested();
    void runAgainRequested(const QString& specFile);
    void editAgainRequested(const QString& specFile);
    void ownDataRequested();  ///< after the sample run: train the same model on the user's data
    /// Resume from `checkpoint` (a run folder) with the same settings, or let the user choose where.
    void resumeRequested(const QString& specFile, const QString& checkpoint);
    void resumeElsewhereRequested(const QString& specFile, const QString& checkpoint);
    /// Connect again to the silent host of a mirrored run.
    void reconnectRequested(const QString& folder);
    void alarmsRequested(const QString& folder);
    void continueRequested(const QString& folder);  ///< with more steps

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void findOthers();
    void addActions();
    void connectParts();
    void refreshState();
    void refreshCurves();
    void refreshHealth();
    void refreshSamples();
    void refreshEvents();
    void refreshProblems();
    void refreshStrip(double now);
    void tick();
    void setCrosshair(double x);
    /// Converts a position on one axis to another axis by the nearest point of the loss. Returns NaN for NaN, or
    /// without a curve.
    double nearest(double at, const widgets::XScale& from, const widgets::XScale& to) const;
    void actOn(std::size_t event);
    /// Returns a file of the newest profile that recorded this step, or an empty string.
    QString traceOf(std::int64_t step) const;
    void actOnRank(int rank);
    void noteAt(double x, widgets::XUnit unit);

    RunRecord* record_;
    RunHeader* header_;
    RunActions* actions_;
    ProgressLine* progress_;
    widgets::InlineMessage* strip_;    ///< lost or stale
    QPushButton* reconnect_;           ///< of strip_: where another host is silent
    QPushButton* own_data_;            ///< of strip_: after the sample
    bool own_data_left_ = false;       ///< that line was dismissed
    widgets::InlineMessage* warning_;  ///< what cannot be read
    widgets::InlineMessage* request_;  ///< a request that was refused or is not answered
    UnsentRecords* unsent_;
    TileRow* tiles_;
    FailurePanel* failure_;
    StartPanel* start_;
    QWidget* charts_;  ///< of the overview, with the samples beside them
    QBoxLayout* beside_;
    QBoxLayout* columns_;         ///< charts and side column
    QScrollArea* charts_scroll_;  ///< around the charts and the log
    SamplesPanel* samples_;
    LossPanel* loss_;
    QVector<SmallChart*> small_;
    SmallChart* loss_scale_;  ///< of small_: where training is in fp16
    QWidget* small_row_;
    HealthPanel* health_;
    ClassesPanel* classes_;
    CurvesPanel* curves_ = nullptr;
    QAction* save_layout_;
    bool forwarding_ = false;  ///< a key to the loss chart
    QVBoxLayout* left_;
    QScrollArea* side_;  ///< at the right: hosts, ranks, events, what differs
    HostsPanel* hosts_;
    ConfigDiffPanel* diff_;
    bool shows_curves_ = false;
    RanksPanel* ranks_;
    EventsPanel* events_;
    LogPanel* log_;
    widgets::ChartLink* link_;
    RunView* view_ = nullptr;
    widgets::Job finding_;
    widgets::XUnit unit_ = widgets::XUnit::Step;
    QTimer clock_;
    bool health_due_ = true;  ///< something has come, or the room has changed, since refreshHealth()
    QTimer curves_due_;
    EventMarkers event_markers_;
    bool state_due_ = false;  ///< changed while the page was hidden
    bool events_due_ = false;
    QTimer crosshair_due_;  ///< the log follows the crosshair when it rests
};

}  // namespace trainyard::desktop
