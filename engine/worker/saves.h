// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checkpoints of a run: begun or made, and what is said of them once they are on the disk, or are not.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/paths.h"
#include "train/trainer.h"
#include "worker/control_channel.h"
#include "worker/reports.h"
#include "worker/requests.h"

namespace trainyard::worker {

class Saves {
  public:
    Saves(const config::Recipe& recipe, const run::RunPaths& paths, train::Trainer& trainer, ControlChannel& channel,
          Reports& reports, Requests& requests)
        : recipe_(recipe.checkpoint),
          paths_(paths),
          trainer_(trainer),
          channel_(channel),
          reports_(reports),
          requests_(requests) {}

    /// Copies what is to be written; a thread writes it while training continues.
    void begin();
    /// True when a checkpoint of this step is on the disk. A failure ends the run (UserError) only when nothing comes after it.
    bool save(bool last);
    /// Reports the outcome of saves to the requests that wait for it.
    void tell();
    /// Returns the problem of the newest save that failed.
    const Message& problem() const { return problem_; }

  private:
    /// The requests that wait for the save of a step, and the metric of its checkpoint.
    struct Waiting {
        std::vector<std::string> requests;
        std::optional<double> metric;
    };

    std::int64_t note();
    void saved(const checkpoint::SaveResult& result);
    void tell_best(const checkpoint::SaveResult& result, const std::optional<double>& metric);
    void failed(std::int64_t step, const Message& problem);

    const config::CheckpointRecipe& recipe_;
    const run::RunPaths& paths_;
    train::Trainer& trainer_;
    ControlChannel& channel_;
    Reports& reports_;
    Requests& requests_;
    std::map<std::int64_t, Waiting> waiting_;  ///< by step, until the save has ended
    std::optional<double> best_;               ///< metric of the best checkpoint that this worker has saved
    Message problem_;
};

}  // namespace trainyard::worker
