// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reports of a rank about its training: events, lines of the log, progress, curves and trackers. Rank 0 reports for the
// run, every other rank only for itself.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/message.h"
#include "estimate/estimate_file.h"
#include "observe/track/trackers.h"
#include "run/paths.h"
#include "train/trainer.h"
#include "worker/control_channel.h"
#include "worker/figures.h"
#include "worker/metrics_writer.h"
#include "worker/rank_environment.h"
#include "worker/samples.h"
#include "worker/step_times.h"

namespace trainyard::worker {

/// Of what is done every so many steps; 0: never.
inline bool due(std::int64_t every, std::int64_t step) {
    return every > 0 && step % every == 0;
}

class Reports {
  public:
    Reports(const RankEnvironment& environment, const config::Recipe& recipe, train::Trainer& trainer,
            ControlChannel& channel);

    /// Ends the trackers; what they did not deliver is reported.
    ~Reports();
    Reports(const Reports&) = delete;
    Reports& operator=(const Reports&) = delete;

    /// True on rank 0.
    bool speaks_for_run() const { return main_; }
    /// Of the run on rank 0, of this rank on the others. `step` < 0: the newest.
    void event(const std::string& kind, const Message& text, const std::string& path = {}, double value = 0,
               std::int64_t step = -1);
    /// Sends an event of this rank, on rank 0, too.
    void event_of_rank(const std::string& kind, const Message& text);

    /// A step that has been made: its figures, notices, progress and the line of the log, each in its own rhythm.
    void step(const train::StepReport& report);
    /// Reports an evaluation; nothing if `found` is empty, because there is no held-out data.
    void evaluation(const std::optional<train::Evaluation>& found);
    /// Reports texts that the model wrote.
    void samples(const std::vector<Sample>& samples);
    /// `final`: nothing comes after it for a while, so the heartbeat goes with it.
    void progress(bool final);
    /// That all steps are done.
    void finished();
    /// Writes estimate.json (estimate/estimate_file.h): what a rank will need.
    void predict_memory();
    /// The same with what the ranks have used until now. Collective.
    void measure_memory();

    /// The seconds that training stood still for `work`, as the curve `tag`. Returns what `work` does.
    template <class Work>
    auto timed(const char* tag, Work work) {
        const double begin = monotonic_seconds();
        auto result = work();
        note_seconds(tag, monotonic_seconds() - begin);
        return result;
    }

  private:
    /// Returns whether the memory of the model can be estimated from its configuration.
    bool estimates() const;
    void write_estimate(const estimate::EstimateFile& file);
    void send_event(int rank, const std::string& kind, const Message& text, const std::string& path, double value,
                    std::int64_t step);
    std::unique_ptr<track::Trackers> start_trackers();
    std::int64_t first_new_step() const;
    void note_seconds(const char* tag, double seconds);
    void notices(const train::StepReport& report);
    NamedNumbers own_figures(const train::StepReport& report);
    void curves(const train::StepReport& report);
    void classes(const train::ClassOutcome& outcome);
    void log_point(MetricsPoint point);
    void problems_of_curves();

    const config::Recipe& recipe_;
    run::RunPaths paths_;
    train::Trainer& trainer_;
    ControlChannel& channel_;
    bool main_;
    int rank_, world_size_, ranks_here_, generation_;
    events::HyperParameters hyper_parameters_;
    MetricsWriter metrics_;
    std::unique_ptr<track::Trackers> trackers_;
    std::int64_t tokens_per_step_;
    StepFigures figures_;
    OwnMeans own_means_;
    StepTimes times_;
    std::optional<double> last_loss_;  ///< no step yet: none
    double validation_loss_ = 0;
    double last_progress_ = 0, last_log_ = 0, last_pulse_ = 0;
};

}  // namespace trainyard::worker
