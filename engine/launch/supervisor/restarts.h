// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// When the ranks of a run start: once their machines have joined, again after a failure, and again with more machines.
// Has neither a clock nor processes: callers pass monotonic seconds.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "launch/supervisor/supervisor_options.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::launch {

class Restarts {
  public:
    /// References stay valid as long as the object.
    Restarts(const SupervisorOptions& options, const run::RunSpec& spec) : options_(options), spec_(spec) {}

    /// Machines may join from now on. The ranks start after `wait_s` at the earliest.
    void await_machines(double now, double wait_s = 0);
    double start_time() const { return start_time_; }
    /// Whether that many machines are enough: all of them, or the fewest when no more have come for a while.
    bool are_enough(std::size_t machines, double now);
    bool gives_up(double now) const { return now - joining_since_ >= spec_.launch.join_timeout_s; }

    /// A generation starts.
    void begin(double now) { began_ = now; }
    double began() const { return began_; }
    /// Whether ranks on so many machines may be restarted for one more: they have lived for a while.
    bool may_grow(std::size_t machines, std::int64_t newest_step, double now) const;

    struct Decision {
        bool again = false;
        double wait_s = 0;
        Message why_not{};  ///< empty where it was not to be expected
    };
    /// Samples of a rank's micro-batch with which the ranks start again after `failure`, where memory ran out and the
    /// recipe has training.auto_find_batch_size: fewer than before, on `ranks` ranks. `limit`:
    /// run::RunState::batch_size. 0: there are no smaller ones.
    std::optional<std::int64_t> smaller_batch(const run::Failure& failure, int ranks, std::int64_t limit) const;
    /// The ranks of a generation have ended after `failure`. `restarts`: before it.
    Decision after_failure(const run::Failure& failure, bool ends_for_good, int restarts, std::int64_t newest_step,
                           double now);

  private:
    Message why_not(const run::Failure& failure, bool ends_for_good, int restarts) const;

    const SupervisorOptions& options_;
    const run::RunSpec& spec_;
    double joining_since_ = 0;
    double enough_since_ = 0;  ///< the fewest machines have joined; 0: not yet
    double start_time_ = 0;
    double began_ = 0;
    int short_lives_ = 0;   ///< generations in a row that were short
    int without_step_ = 0;  ///< generations in a row that ended before their first step
};

}  // namespace trainyard::launch
