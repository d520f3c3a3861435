// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/counter_levels.h"

#include <algorithm>

namespace trainyard::desktop {

void CounterLevels::add(std::int64_t time, double value) {
    if (samples_.size() % kBlock == 0)
        blocks_.push_back(value);
    blocks_.back() = std::max(blocks_.back(), value);
    highest_ = std::max(highest_, value);
    samples_.push_back({time, value});
}

std::optional<double> CounterLevels::within(const widgets::TimeSpan& time) const {
    const auto after = [this](std::int64_t at) {
        return static_cast<std::size_t>(
            std::upper_bound(samples_.begin(), samples_.end(), at,
                             [](std::int64_t when, const Sample& sample) { return when < sample.time; }) -
            samples_.begin());
    };
    std::size_t first = after(time.begin);
    const std::size_t last = after(time.end - 1);
    if (first > 0)
        --first;  // holds into the span
    if (first >= last)
        return std::nullopt;
    double most = samples_[first].value;
    for (std::size_t i = first; i < last;) {
        if (i % kBlock == 0 && i + kBlock <= last) {
            most = std::max(most, blocks_[i / kBlock]);
            i += kBlock;
        } else {
            most = std::max(most, samples_[i].value);
            ++i;
        }
    }
    return most;
}

}  // namespace trainyard::desktop
