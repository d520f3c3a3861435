// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <trainyard/scheduler.h>

namespace trainyard::accelerator {

Scheduler::Scheduler(std::shared_ptr<optim::Schedule> schedule, SchedulerLinks links, SchedulerOptions options)
    : schedule_(std::move(schedule)), links_(std::move(links)), options_(options) {}

void Scheduler::step(std::optional<double> metric) {
    if (!options_.step_with_optimizer) {
        schedule_->step(metric);
        return;
    }
    if (links_.sync_gradients && !links_.sync_gradients())
        return;
    for (const std::function<bool()>& skipped : links_.optimizer_steps_skipped)
        if (skipped())
            return;
    const std::optional<std::int64_t> total = schedule_->total_steps();
    if (options_.stepping == SchedulerStepping::per_update) {
        // The last of `total` rates belongs to epoch total - 1; after it a cycle would rise again.
        if (!total || schedule_->last_epoch() < *total - 1)
            schedule_->step(metric);
        return;
    }
    if (options_.split_batches) {
        schedule_->step(metric);
        return;
    }
    for (int process = 0; process < links_.num_processes; ++process)
        if (!total || schedule_->step_count().value_or(0) <= *total)
            schedule_->step(metric);
}

}  // namespace trainyard::accelerator
