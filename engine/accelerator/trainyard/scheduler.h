#pragma once
// A schedule tied to the updates of its optimizers (Accelerate's AcceleratedScheduler): nothing happens while gradients accumulate,
// nothing when an update was skipped. One step of the schedule is one update of the optimizer, whatever the number of processes: a
// schedule's steps, warm-up and patience are counted in updates.
//
// Accelerate steps once per process instead, so that a schedule written for one process ends after a W-th of the updates. Whoever
// needs those numbers asks for SchedulerStepping::per_process.

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

struct SchedulerOptions {
    SchedulerStepping stepping = SchedulerStepping::per_update;
    bool step_with_optimizer = true;  ///< false: every call is one step, accumulating or not
    bool split_batches = false;       ///< the loader splits batches over the processes; counts only for per_process
};

/// What the wrapper must know of the loop.
struct SchedulerLinks {
    std::function<bool()> sync_gradients;  ///< this micro-step ends with an update
    std::vector<std::function<bool()>>
        optimizer_steps_skipped;  ///< of each linked optimizer: its last update was skipped
    int num_processes = 1;
};

class Scheduler final : public Stateful {
  public:
    Scheduler(std::shared_ptr<optim::Schedule> schedule, SchedulerLinks links, SchedulerOptions options = {});

    void step(std::optional<double> metric = {});
    std::vector<double> last_lr() const { return schedule_->last_lr(); }
    optim::Schedule& schedule() { return *schedule_; }
    const SchedulerOptions& options() const { return options_; }

    Tree state_dict() const override { return schedule_->state_dict(); }
    void load_state_dict(const Tree& state) override { schedule_->load_state_dict(state); }

  private:
    std::shared_ptr<optim::Schedule> schedule_;
    SchedulerLinks links_;
    SchedulerOptions options_;
};

}  // namespace trainyard::accelerator
