// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Health of a training (train/loop/health.h) inside a loop of one's own: judges loss and gradient norm of each update before the optimizer's step, which
// is passed over where the verdict says so; with the action rollback everything prepared goes back to the last good checkpoint, and the data goes
// on (train/loop/roll_back.h), as in a recipe's run.
//
//     auto health = accelerator.prepare_health({.on_spike = HealthAction::rollback});
//     ... backward, clip ...
//     const train::HealthVerdict verdict = health->judge(accelerator.mean_loss(), norm);
//     if (verdict.action == HealthAction::stop) break;
//     optimizer->step();                              // nothing where the update is to be skipped

#include <functional>
#include <memory>
#include <string>

#include "base/message.h"
#include "distributed/tensors/tree.h"
#include "train/loop/health.h"

namespace trainyard::accelerator {

class GradientFlow;

/// Judges loss and gradient norm of each update of a program, as the health settings of a recipe do.
class PreparedHealth final : public Stateful {
  public:
    /// `roll_back` returns a sentence on what it did.
    PreparedHealth(train::HealthOptions options, std::shared_ptr<GradientFlow> flow,
                   std::function<Message(std::int64_t step)> roll_back)
        : monitor_(options),
          skips_updates_(skips(options.on_spike) || skips(options.on_non_finite)),
          flow_(std::move(flow)),
          roll_back_(std::move(roll_back)) {}

    /// Once in an update, before the optimizers' steps; nothing while gradients accumulate. `loss` and `gradient_norm` must be those of all
    /// ranks (mean_loss(), clip_grad_norm()). Problems of the verdict say what was done, too. Collective where it rolls back.
    train::HealthVerdict judge(double loss, double gradient_norm, const Message& first_bad = {});
    /// Returns the monitor with its counts.
    const train::HealthMonitor& monitor() const { return monitor_; }
    /// Whether a verdict may leave an update out with the program going on.
    bool skips_updates() const { return skips_updates_; }

    /// {"step", "monitor"}
    Tree state_dict() const override;
    /// Restores the state of state_dict().
    void load_state_dict(const Tree& state) override;

  private:
    static bool skips(HealthAction action) {
        using enum HealthAction;
        return action == skip || action == pause || action == stop;
    }

    train::HealthMonitor monitor_;
    bool skips_updates_;
    std::shared_ptr<GradientFlow> flow_;
    std::function<Message(std::int64_t step)> roll_back_;
    std::int64_t step_ = 0;  ///< updates judged
};

}  // namespace trainyard::accelerator
