// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of a step goes: seconds of each phase on this rank. The clock is read at every change of phase, about
// ten times a step, which is too little to measure. While a profile is recorded, the phases are rows of the trace, too.

#include <array>
#include <cstddef>

namespace trainyard::train {

enum class Phase : unsigned char { other, data, forward, backward, communicate, optimizer };
inline constexpr std::size_t kPhases = 6;
const char* to_string(Phase phase);

/// Seconds by phase. `communicate` is what is left of the exchange of gradients after backward has hidden the rest behind itself.
struct PhaseSeconds {
    std::array<double, kPhases> seconds{};
    double seconds_of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
    double sum() const;
};

class PhaseClock {
  public:
    void begin_step(double now);
    void enter(Phase phase);
    /// Ends the step: what all of its phases took.
    PhaseSeconds end_step(double now);

  private:
    void leave(double now);

    PhaseSeconds seconds_;
    Phase phase_ = Phase::other;
    double since_ = 0;
    bool in_step_ = false;  ///< always false in programs that do not report their steps
};

}  // namespace trainyard::train
