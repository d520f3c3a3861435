// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A curve of a trace (memory, a counter) that is asked for its highest value within a pixel: blocks of samples know their own.

#include <cstdint>
#include <optional>
#include <vector>

#include "widgets/timeline/timeline_data.h"

namespace trainyard::desktop {

class CounterLevels {
  public:
    /// In the order of time.
    void add(std::int64_t time, double value);
    bool isEmpty() const { return samples_.empty(); }
    double highest() const { return highest_; }
    /// Highest value that holds at some time of the span: a value holds until the next one. Nothing before the first.
    std::optional<double> within(const widgets::TimeSpan& time) const;

  private:
    static constexpr std::size_t kBlock = 64;
    struct Sample {
        std::int64_t time;
        double value;
    };
    std::vector<Sample> samples_;
    std::vector<double> blocks_;  ///< highest of each kBlock samples
    double highest_ = 0;
};

}  // namespace trainyard::desktop
