// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// View model of one run for RunPage, without widgets. Takes the batches of the feed and emits signals for changes.
// Lives in the GUI thread.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QObject>
#include <QStringList>

#include "base/message.h"
#include "desktop/curves/curve_source.h"
#include "desktop/dashboard/run_batch.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/step_counters.h"
#include "run/paths.h"
#include "run/request_body.h"
#include "widgets/plot/chart_view.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class RunFeed;

/// Each once, in the order of the ranks.
std::vector<std::string> hosts_of(const std::vector<run::RankState>& ranks);

/// The stage that the page shows at the top; it determines the text and the available requests.
enum class RunStage {
    Loading,
    Missing,
    Queued,
    Abandoned,
    Preparing,
    Starting,
    Running,
    Stopping,
    Finished,
    Stopped,
    Failed,
    Lost
};

class RunRecord : public CurveSource {
    Q_OBJECT
  public:
    explicit RunRecord(run::RunPaths run, QObject* parent = nullptr);
    ~RunRecord() override;

    void start();  ///< begins to read
    void ask(const run::RequestBody& request);
    void take(const RunBatch& batch);  ///< the feed's; tests call it too

    const run::RunPaths& paths() const { return paths_; }
    RunStage stage() const;
    bool isLive() const;
    const std::optional<run::RunState>& state() const { return state_; }
    const std::optional<RunFacts>& facts() const { return facts_; }
    /// Events, preceded by those of the ancestors up to the step of the checkpoint.
    const std::vector<run::Event>& events() const { return events_; }
    /// Positions in events() of the events of a kind, one of checkpoint, nan, phase, profile, restart and resume. A
    /// run may have very many events: nothing that is called for each change looks at all of them.
    const std::vector<std::size_t>& eventsOf(std::string_view kind) const { return positions_.find(kind)->second; }
    /// Checkpoints that the run can be resumed from, its own and those of its ancestors, newest first. Empty for a run
    /// of another machine.
    const std::vector<SavedCheckpoint>& checkpoints() const { return checkpoints_; }
    /// Returns the best checkpoint, by the run's own report or by its evaluations; nullptr if unknown.
    const SavedCheckpoint* bestCheckpoint() const;
    const std::vector<Message>& problems() const { return problems_; }
    /// The newest evaluation of a classification; null: none.
    const std::shared_ptr<const run::ClassReport>& classes() const { return classes_; }

    QString key() const override;  ///< the run's folder
    QString name() const override;
    int colorNumber() const override { return color_number_; }
    void setColorNumber(int number) { color_number_ = number; }
    const std::vector<TagInfo>& tags() const override { return store_.tags(); }
    const widgets::Series& series(const std::string& tag) const override { return store_.series(tag); }
    const MediaPoints& media(const std::string& tag) const override { return store_.media(tag); }
    std::size_t mediaMet(const std::string& tag) const override { return store_.mediaMet(tag); }
    const ParameterWords& parameters() const override { return store_.parameters(); }
    widgets::XScale scale(widgets::XUnit unit) const override;
    /// Sets whether time is counted without pauses and without the time from a failure to the next step.
    void setActiveTime(bool active);
    bool isActiveTime() const { return active_time_; }
    /// Whether the run has such idle time.
    bool wasIdle() const { return idle_ != nullptr; }
    bool isCaughtUp() const override { return caught_up_; }
    QStringList complaints() const override;
    /// Whether the run has steps of its own. The curve of a resumed run also has the steps of its ancestors.
    bool hasSteps() const;
    /// The curve that the progress of training is measured by: train/loss, or of a program without one the first of its
    /// metrics_of().
    const std::string& mainTag() const { return main_tag_; }
    bool isProgram() const { return facts_ && facts_->is_program; }
    /// Whether a rank has printed something.
    bool hasOutput() const { return has_output_; }
    /// Whether the state is not written any more because the disk of the run's folder is full.
    bool isDiskFull() const { return disk_full_; }

    std::int64_t step() const;
    std::int64_t steps() const;  ///< 0: not known
    double share() const;        ///< 0..1
    /// Remaining seconds as estimated by the supervisor, as in the list of runs and on the command line; nullopt before
    /// 20 steps.
    std::optional<double> timeLeft() const;
    int ranksGone() const;
    bool isPaused() const;
    /// The current peak learning rate, which the schedule multiplies; 0 if unknown.
    double peakRate() const;
    /// The learning rate of the last step; 0: not known.
    double rate() const;
    std::int64_t lastCheckpoint() const;  ///< step; may be the checkpoint it was resumed from; -1: none
    double peakMemory(int rank) const;    ///< resident, bytes; 0: not known
    /// Rank with the largest resident memory so far, and that memory in bytes.
    std::pair<int, double> largestMemory() const;
    /// Pending requests by kind, with their last status.
    const std::map<std::string, RequestNews>& pending() const { return pending_; }

  signals:
    void stateChanged();
    void factsChanged();
    void eventsChanged();
    void problemsChanged();
    void classesChanged();
    void logCame(const std::shared_ptr<const trainyard::widgets::LogBlock>& block);
    void requestChanged(const trainyard::desktop::RequestNews& news);

  private:
    void indexEvents(std::size_t first);
    void findIdle();
    void findMainTag();

    run::RunPaths paths_;
    std::unique_ptr<RunFeed> feed_;
    std::optional<run::RunState> state_;
    std::string status_;
    std::optional<RunFacts> facts_;
    std::vector<run::Event> events_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> positions_;  ///< see eventsOf()
    std::vector<SavedCheckpoint> checkpoints_;
    std::vector<Message> problems_;
    std::shared_ptr<const run::ClassReport> classes_;
    CurveStore store_;
    StepCounters counters_;
    std::shared_ptr<const widgets::IdleTimes> idle_;  ///< null: none
    bool active_time_ = false;
    int color_number_ = 1;
    std::map<std::string, RequestNews> pending_;
    bool caught_up_ = false;
    bool missing_ = false;
    bool has_output_ = false;
    bool disk_full_ = false;
    std::string main_tag_;
};

}  // namespace trainyard::desktop
