// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/progress_meter.h"

#include <algorithm>
#include <vector>

namespace trainyard::launch {

namespace {
constexpr std::int64_t kWindow = 200;
constexpr std::int64_t kFewest = 20;
}  // namespace

void ProgressMeter::report(std::int64_t step, std::optional<double> step_s, double monotonic) {
    std::int64_t steps = step - last_step_;
    bool first = last_step_ < 0;
    double elapsed = monotonic - last_time_;
    if (!first && steps <= 0)
        return;
    last_step_ = step;
    last_time_ = monotonic;
    if (first && (!step_s || step == 0))  // nothing to measure from yet
        return;
    // A resumed run begins at a high step: its first report stands for one step, not for all before.
    samples_.push_back({first ? 1 : steps, step_s ? *step_s : elapsed / static_cast<double>(steps)});
    steps_ += samples_.back().steps;
    while (samples_.size() > 1 && steps_ - samples_.front().steps >= kWindow) {
        steps_ -= samples_.front().steps;
        samples_.pop_front();
    }
}

std::optional<double> ProgressMeter::eta(std::int64_t step, std::int64_t of) const {
    if (steps_ < kFewest || samples_.empty())
        return std::nullopt;
    std::vector<Sample> sorted(samples_.begin(), samples_.end());
    std::sort(sorted.begin(), sorted.end(), [](const Sample& a, const Sample& b) { return a.seconds < b.seconds; });
    std::int64_t before = 0;
    for (const Sample& sample : sorted) {
        before += sample.steps;
        if (2 * before >= steps_)
            return sample.seconds * static_cast<double>(std::max<std::int64_t>(0, of - step));
    }
    return std::nullopt;
}

}  // namespace trainyard::launch
