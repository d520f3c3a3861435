// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recent step times, used to estimate the remaining time.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace trainyard::worker {

/// Median of the newest steps.
class StepTimes {
  public:
    void add(double seconds) {
        times_.push_back(seconds);
        if (times_.size() > kTimedSteps)
            times_.pop_front();
    }
    double median() const {
        std::vector<double> sorted(times_.begin(), times_.end());
        if (sorted.empty())
            return 0;
        auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }

  private:
    static constexpr std::size_t kTimedSteps = 200;
    std::deque<double> times_;
};

}  // namespace trainyard::worker
