#pragma once
// Where the time of a step goes: seconds of each phase on this rank. One reading of the clock at every change of phase, of which a step
// has about ten: nothing that could be measured. While somebody records, the phases are kept as spans, too.

#include <array>
#include <cstddef>
#include <vector>

namespace trainyard::train {

enum class Phase : unsigned char { other, data, forward, backward, communicate, optimizer };
inline constexpr std::size_t kPhases = 6;
const char* to_string(Phase phase);

/// Seconds by phase. `communicate` is what is left of the exchange of gradients after backward has hidden the rest behind itself.
struct PhaseSeconds {
    std::array<double, kPhases> seconds{};
    double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
    double sum() const;
};

struct PhaseSpan {
    Phase phase = Phase::other;
    double begin = 0, end = 0;  ///< monotonic seconds
};

class PhaseClock {
  public:
    void begin_step(double now);
    void enter(Phase phase);
    /// Ends the step: what all of its phases took.
    PhaseSeconds end_step(double now);
    /// Spans go there, too, until it is called with null.
    void record(std::vector<PhaseSpan>* spans) { spans_ = spans; }

  private:
    void leave(double now);

    PhaseSeconds seconds_;
    Phase phase_ = Phase::other;
    double since_ = 0;
    std::vector<PhaseSpan>* spans_ = nullptr;
};

}  // namespace trainyard::train
