// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/delayed_scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace trainyard::models {

DelayedScaling::DelayedScaling(float largest, const Options& options)
    : target_(largest * std::ldexp(1.0F, -static_cast<int>(options.margin))), options_(options) {
    state_.history.resize(static_cast<std::size_t>(options.history));
}

void DelayedScaling::see(float magnitude) {
    if (magnitude > state_.history[0])  // NaN does not count
        state_.history[0] = magnitude;
}

void DelayedScaling::update() {
    const float last = state_.history[0];
    float largest = 0;
    if (last != 0) {
        std::ranges::rotate(state_.history, state_.history.begin() + 1);
        largest = std::ranges::max(state_.history);
        state_.history[0] = 0;
    }
    if (++state_.updates % options_.interval != 0)
        return;
    const float magnitude = options_.algorithm == Algorithm::most_recent ? last : largest;
    if (std::isfinite(magnitude) && magnitude > 0)
        state_.scale = std::min(target_ / magnitude, std::numeric_limits<float>::max());
}

void DelayedScaling::load(State state) {
    if (state.history.size() != state_.history.size())
        throw UserError("the state of delayed scaling has a history of {} steps, and the options say {}",
                        state.history.size(), state_.history.size());
    state_ = std::move(state);
}

}  // namespace trainyard::models
