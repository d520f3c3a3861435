// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Metrics of a step in the curves: the run's scalars, the time of each phase, and the share of the machine's peak
// FLOP/s. Logic only; metrics_writer.h writes them.

#include "train/peak_flops.h"
#include "train/trainer.h"
#include "worker/metrics_writer.h"

namespace trainyard::worker {

class StepFigures {
  public:
    StepFigures(const config::Recipe& recipe, const train::Trainer& trainer, int world_size);

    /// After every step, on every rank: at the 20th of this process the peak of the device is found, on all ranks at once, so that ranks
    /// that share cores measure what each of them really has.
    void after_step();
    NamedNumbers numbers(const train::StepReport& report);
    /// Weights and gradients of all stages, a bounded number of elements of each, evenly spread. Empty on the ranks
    /// that are not in rank 0's pipeline. Collective where the ranks share weights or gradients, or are a pipeline.
    std::vector<std::pair<std::string, std::vector<float>>> histograms() const;

  private:
    const config::Recipe& recipe_;
    const train::Trainer& trainer_;
    int world_size_;
    double tokens_per_step_;
    std::int64_t steps_ = 0;
    train::PeakFlops peak_;
    bool peak_told_ = false;
    double flops_ = -1;  ///< of a step, always the same; below 0: not asked for yet
};

}  // namespace trainyard::worker
