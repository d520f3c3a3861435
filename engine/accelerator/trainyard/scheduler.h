// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A schedule tied to the updates of its optimizers (Accelerate's AcceleratedScheduler): nothing happens while gradients accumulate,
// nothing when an update was skipped. One step of the schedule is one update of the optimizer, whatever the number of processes: a
// schedule's steps, warm-up and patience are counted in updates.
//
// Accelerate steps once per process instead, so that on W processes a schedule written for one process ends after 1/W
// of the updates. SchedulerStepping::per_process selects this behavior.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "optim/schedule.h"

namespace trainyard::accelerator {

enum class SchedulerStepping {
    per_update,   ///< one step per update; a OneCycleLR rests at its last rate
    per_process,  ///< as Accelerate: W steps per update (one with split_batches), OneCycleLR driven to one past its end
};

/// How a schedule follows its optimizers.
struct SchedulerOptions {
    /// The steps of the schedule for one update.
    SchedulerStepping stepping = SchedulerStepping::per_update;
    bool step_with_optimizer = true;  ///< false: every call is one step, accumulating or not
    bool split_batches = false;       ///< the loader splits batches over the processes; counts only for per_process
};

/// State of the training loop that the scheduler reads.
struct SchedulerLinks {
    std::function<bool()> sync_gradients;  ///< this micro-step ends with an update
    std::vector<std::function<bool()>>
        optimizer_steps_skipped;  ///< of each linked optimizer: its last update was skipped
    /// The number of ranks, for SchedulerStepping::per_process.
    int num_processes = 1;
};

/// A schedule that advances with the updates of its optimizers, whatever the number of ranks.
class Scheduler final : public Stateful {
  public:
    /// Wraps a schedule. Called by Accelerator::prepare.
    Scheduler(std::shared_ptr<optim::Schedule> schedule, SchedulerLinks links, SchedulerOptions options = {});

    /// Advances the schedule if its optimizers have updated; `metric` is for schedules that follow one, which throw
    /// UserError without it.
    void step(std::optional<double> metric = {});
    /// Returns the learning rates of the groups as last set.
    std::vector<double> last_lr() const { return schedule_->last_lr(); }
    /// Returns the wrapped schedule.
    optim::Schedule& schedule() { return *schedule_; }
    /// Returns the options.
    const SchedulerOptions& options() const { return options_; }

    /// Returns the state under torch's names.
    Tree state_dict() const override { return schedule_->state_dict(); }
    /// Restores the state of state_dict().
    void load_state_dict(const Tree& state) override { schedule_->load_state_dict(state); }

  private:
    std::shared_ptr<optim::Schedule> schedule_;
    SchedulerLinks links_;
    SchedulerOptions options_;
};

}  // namespace trainyard::accelerator
