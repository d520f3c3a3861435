// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/phase_clock.h"

#include <numeric>

#include "base/clock.h"
#include "profile/marks.h"

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
    in_step_ = true;
}

void PhaseClock::leave(double now) {
    seconds_.seconds[static_cast<std::size_t>(phase_)] += now - since_;
    if (in_step_ && profile::marking())
        profile::add_mark(profile::phase_mark(to_string(phase_), since_, now));
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
    in_step_ = false;
    return seconds_;
}

}  // namespace trainyard::train
