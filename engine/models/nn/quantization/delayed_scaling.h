// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Delayed scaling: the scale of a tensor follows from the largest magnitudes of earlier steps, as Transformer Engine
// computes it.

#include <cstdint>
#include <vector>

namespace trainyard::models {

class DelayedScaling {
  public:
    enum class Algorithm {
        most_recent,  ///< the last step's magnitude counts
        max,          ///< the largest of the history
    };
    struct Options {
        std::int64_t history = 1024;  ///< steps
        Algorithm algorithm = Algorithm::max;
        std::int64_t margin = 0;  ///< the scale is divided by 2^margin
        std::int64_t interval =
            1;  ///< updates from one computation of the scale to the next; the history moves at each
    };
    /// The state that a checkpoint saves.
    struct State {
        std::vector<float> history;  ///< the first is the current step's, then the oldest to the newest
        float scale = 1;
        std::int64_t updates = 0;
    };

    /// `largest`: the largest value of the format.
    DelayedScaling(float largest, const Options& options);

    /// The factor of the next cast.
    float scale() const { return state_.scale; }
    /// A tensor with this magnitude is cast; several in a step are possible.
    void see(float magnitude);
    /// The step is done.
    void update();

    const State& state() const { return state_; }
    /// Throws UserError if the history has another length.
    void load(State state);

  private:
    float target_;
    Options options_;
    State state_;
};

}  // namespace trainyard::models
