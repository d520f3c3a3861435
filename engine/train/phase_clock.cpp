#include "train/phase_clock.h"

#include <numeric>

#include "base/clock.h"

namespace trainyard::train {

const char* to_string(Phase phase) {
    constexpr std::array<const char*, kPhases> kNames{"other",    "data",        "forward",
                                                      "backward", "communicate", "optimizer"};
    return kNames[static_cast<std::size_t>(phase)];
}

double PhaseSeconds::sum() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

void PhaseClock::begin_step(double now) {
    seconds_ = {};
    phase_ = Phase::other;
    since_ = now;
}

void PhaseClock::leave(double now) {
    seconds_.seconds[static_cast<std::size_t>(phase_)] += now - since_;
    if (spans_ != nullptr)
        spans_->push_back({phase_, since_, now});
    since_ = now;
}

void PhaseClock::enter(Phase phase) {
    if (phase == phase_)
        return;
    leave(monotonic_seconds());
    phase_ = phase;
}

PhaseSeconds PhaseClock::end_step(double now) {
    leave(now);
    phase_ = Phase::other;
    return seconds_;
}

}  // namespace trainyard::train
