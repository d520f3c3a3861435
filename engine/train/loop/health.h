// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Is the run well? Loss spikes, numbers that are not finite, and what to do about them. Logic only: no clock, no communication but
// where it says "collective"; what goes in must be the same on all ranks (the reduced loss, the agreed parameter), then all ranks
// decide alike.
//
// A spike is a loss that lies more than `threshold` robust deviations above the median of the last `window` healthy
// losses; the robust deviation is 1.4826 x the median absolute deviation (the standard deviation, for normal noise).
// Median and MAD instead of an EMA z-score because one spike must not widen the measure by which the next is judged
// (Hampel, JASA 69, 1974), and because a loss that falls steeply at the start does not look like noise to them. Spikes
// do not enter the window; after `settle` of them in a row the loss has settled on a new level, and the window restarts
// there.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/training_choices.h"
#include "distributed/tensors/tree.h"

namespace trainyard::train {

struct SpikeOptions {
    std::int64_t window = 64;   ///< healthy losses looked back at
    std::int64_t warm_up = 16;  ///< losses before the first judgement
    double threshold = 6;       ///< robust deviations above the median
    double least_rise = 0.02;   ///< a spike also rises by this share of the median: quiet curves have tiny deviations
    std::int64_t settle = 8;    ///< spikes in a row that make a new level
};

class LossSpikeDetector final : public Stateful {
  public:
    explicit LossSpikeDetector(SpikeOptions options = {});
    struct Spike {
        double loss = 0, median = 0, deviation = 0;
        double deviations() const { return (loss - median) / deviation; }
    };
    /// Judges a finite loss. Others are for HealthMonitor.
    std::optional<Spike> observe(double loss);
    /// {"window", "in_a_row"}: losses. A window that is longer than ours keeps its newest.
    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    SpikeOptions options_;
    std::deque<double> window_;
    std::vector<double> in_a_row_;
};

struct HealthOptions {
    SpikeOptions spike = {};
    HealthAction on_spike = HealthAction::warn;
    HealthAction on_non_finite = HealthAction::skip;
    std::int64_t stop_after = 10;  ///< non-finite steps in a row that stop the run, unless ignored; 0: never
};

/// What one step showed. Problems are in the order non-finite, spike.
struct HealthVerdict {
    HealthAction action = HealthAction::ignore;  ///< the strongest of what happened
    std::vector<Message> problems;               ///< one sentence each; none when the action is ignore
    Message stop_reason;                         ///< where the action is stop: why, as the end of a sentence
    bool non_finite = false, spike = false;
};

class HealthMonitor final : public Stateful {
  public:
    explicit HealthMonitor(HealthOptions options = {});
    /// Before the update of `step`: `loss` and `gradient_norm` of all ranks; `first_bad` where the first bad gradient is, when known,
    /// e.g. "h.3.mlp.weight on rank 1". skip, rollback, pause and stop all mean: no update with these gradients.
    HealthVerdict judge(std::int64_t step, double loss, double gradient_norm, const Message& first_bad = {});

    /// {"spikes", "non_finite", "skipped", "in_a_row", "detector"}: a resumed run judges as one that was never interrupted.
    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

    std::int64_t spikes() const { return spikes_; }
    std::int64_t non_finite_steps() const { return non_finite_; }
    std::int64_t skipped_steps() const { return skipped_; }
    /// Steps up to the last one judged, without a gap, that were not finite.
    std::int64_t non_finite_in_a_row() const { return in_a_row_; }

  private:
    HealthOptions options_;
    LossSpikeDetector detector_;
    std::int64_t spikes_ = 0, non_finite_ = 0, skipped_ = 0, in_a_row_ = 0;
};

/// Index of the first tensor with an element that is not finite, in the model's order; nothing when all are finite.
std::optional<std::size_t> first_non_finite(const NamedTensors& tensors);

}  // namespace trainyard::train
