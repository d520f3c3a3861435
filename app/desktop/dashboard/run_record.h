#pragma once
// All that the window knows of one run: the view model behind RunPage, without widgets. Takes the feed's batches and says what
// changed. Lives in the GUI thread.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QStringList>

#include "base/message.h"
#include "desktop/curves/curve_source.h"
#include "desktop/dashboard/run_batch.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/step_counters.h"
#include "run/paths.h"
#include "widgets/plot/chart_view.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

class RunFeed;

/// Each once, in the order of the ranks.
std::vector<std::string> hosts_of(const std::vector<run::RankState>& ranks);

/// What the page shows on top: the words of a state and what can be asked for in it.
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
    void ask(const std::string& kind, std::map<std::string, std::string> values = {});
    void take(const RunBatch& batch);  ///< the feed's; tests call it too

    const run::RunPaths& paths() const { return paths_; }
    RunStage stage() const;
    bool isLive() const;
    const std::optional<run::RunState>& state() const { return state_; }
    const std::optional<RunFacts>& facts() const { return facts_; }
    /// Those of the runs that this one went on from come first, up to the step of the checkpoint.
    const std::vector<run::Event>& events() const { return events_; }
    /// What the run can go on from, its own and those of its ancestors, newest first. Empty for a run of another machine.
    const std::vector<SavedCheckpoint>& checkpoints() const { return checkpoints_; }
    /// That of the lowest metric, by what the run says of it or by its evaluations; nullptr: not known.
    const SavedCheckpoint* bestCheckpoint() const;
    const std::vector<Message>& problems() const { return problems_; }

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
    /// Time since the start without pauses and the times between a failure and the first step after it.
    void setActiveTime(bool active);
    bool isActiveTime() const { return active_time_; }
    /// There is such a time.
    bool wasIdle() const { return idle_ != nullptr; }
    bool isCaughtUp() const override { return caught_up_; }
    QStringList complaints() const override;
    /// Of its own: the curve of a run that went on from another is there before.
    bool hasSteps() const;

    std::int64_t step() const;
    std::int64_t steps() const;  ///< 0: not known
    double share() const;        ///< 0..1
    /// Seconds, by the supervisor's estimate that the list of runs and the command line tell, too; nothing before 20 steps.
    std::optional<double> timeLeft() const;
    int ranksGone() const;
    bool isPaused() const;
    /// The learning rate that the schedule multiplies, as it was changed last; 0: not known.
    double peakRate() const;
    /// The learning rate of the last step; 0: not known.
    double rate() const;
    std::int64_t lastCheckpoint() const;  ///< step, also of the checkpoint it went on from; -1: none
    double peakMemory(int rank) const;    ///< resident, bytes; 0: not known
    /// Rank with the largest resident memory so far, and that memory in bytes.
    std::pair<int, double> largestMemory() const;
    /// What is being asked for: kind -> its last news, until it is answered.
    const std::map<std::string, RequestNews>& pending() const { return pending_; }

  signals:
    void stateChanged();
    void factsChanged();
    void eventsChanged();
    void problemsChanged();
    void logCame(const std::shared_ptr<const trainyard::widgets::LogBlock>& block);
    void requestChanged(const trainyard::desktop::RequestNews& news);

  private:
    void findIdle();

    run::RunPaths paths_;
    std::unique_ptr<RunFeed> feed_;
    std::optional<run::RunState> state_;
    std::string status_;
    std::optional<RunFacts> facts_;
    std::vector<run::Event> events_;
    std::vector<SavedCheckpoint> checkpoints_;
    std::vector<Message> problems_;
    CurveStore store_;
    StepCounters counters_;
    std::shared_ptr<const widgets::IdleTimes> idle_;  ///< null: none
    bool active_time_ = false;
    int color_number_ = 1;
    std::map<std::string, RequestNews> pending_;
    bool caught_up_ = false;
    bool missing_ = false;
};

}  // namespace trainyard::desktop
