// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Summarizes the event files of a run, or the file of a log of another format: a few statistics per tag, and the train
// loss as at most 256 points. Files are read as they grow. For the list of runs; the dashboard keeps every point. Exact
// across restarts: steps that a restart repeats are not counted twice. Points are not stored, so the files are read
// again when a new restart is found.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <QPointF>
#include <QStringList>
#include <QVector>

#include "desktop/runs/run_details.h"
#include "desktop/sources/hparams_folders.h"
#include "desktop/sources/metrics_tail.h"
#include "formats/events/event_folder.h"

namespace trainyard::desktop {

class MetricsSummary : private events::EventListener {
  public:
    /// `of_program`: logs of another program, of which hyper-parameters and labels are read, too.
    explicit MetricsSummary(std::filesystem::path metrics, bool of_program = false);
    /// Reads at most `limit_bytes` of new data. Returns whether there was any.
    bool poll(std::uint64_t limit_bytes);
    /// Train loss; x = step / of (0..1), of the steps that came when `of` is not known.
    QVector<QPointF> lossPoints(std::int64_t of) const;
    std::shared_ptr<const RunMetrics> metrics() const;
    /// Hyper-parameters in the logs of another program; null: there are none.
    std::shared_ptr<const RunConfig> config() const;
    const LogLabels& labels() const { return labels_; }
    QStringList problems() const;  ///< what cannot be read, one sentence each

  private:
    void point(const std::string& tag, std::int64_t step, double value);
    bool pollFile(std::uint64_t limit_bytes);
    void scalar(int tag, std::int64_t step, double wall_time, double value) override;
    void record(const std::string& group, const events::EventRecord& record, std::string_view payload,
                const std::filesystem::path& file, std::uint64_t at) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;
    void beginAgain();
    void clear();
    void findLimit();
    void keepLoss(std::int64_t step, double value);

    struct Tally {
        double last = 0;
        double lowest = HUGE_VAL, highest = -HUGE_VAL;
        double sum = 0;
        std::int64_t finite = 0;
        std::int64_t count = 0;
        std::int64_t step = INT64_MIN;
    };

    std::filesystem::path folder_;
    std::unique_ptr<events::EventFolder> files_;
    std::unique_ptr<MetricsTail> file_;        ///< instead of files_, for a single file
    std::unique_ptr<HparamsFolders> hparams_;  ///< of a folder of another program
    ParameterWords parameters_;
    LogLabels labels_;
    std::unordered_map<std::string, Tally> tallies_;
    std::vector<std::pair<std::int64_t, double>> loss_;
    std::int64_t stride_ = 1;  ///< every stride-th point of the loss is kept
    std::int64_t seen_ = 0;
    std::vector<std::int64_t> restarts_;  ///< steps, in the order in which they are met
    std::size_t heard_ = 0;               ///< how many of them, in this pass over the files
    std::int64_t limit_ = INT64_MAX;      ///< steps from here on are dropped: a later restart repeats them
    bool again_ = false;
    bool any_ = false;  ///< heard something in this poll
};

}  // namespace trainyard::desktop
