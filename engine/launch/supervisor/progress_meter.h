// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Time left: the median duration of the last 200 steps times the steps to go. A median, because an evaluation or a checkpoint
// between two steps must not move it.

#include <cstdint>
#include <deque>
#include <optional>

namespace trainyard::launch {

class ProgressMeter {
  public:
    /// `step_s`: seconds of one step as the rank measured it; absent: from the time between reports.
    void report(std::int64_t step, std::optional<double> step_s, double monotonic);
    /// Absent before 20 steps were seen.
    std::optional<double> eta(std::int64_t step, std::int64_t of) const;

  private:
    struct Sample {
        std::int64_t steps;
        double seconds;  ///< of one step
    };
    std::deque<Sample> samples_;
    std::int64_t steps_ = 0;  ///< in samples_
    std::int64_t last_step_ = -1;
    double last_time_ = 0;
};

}  // namespace trainyard::launch
