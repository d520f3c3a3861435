// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which values a trial has. They follow from the sweep, the trial's number and the trials it may look at alone, so
// that a sweep that was interrupted continues as if it had not been.

#include <span>

#include "sweep/sweep_file.h"

namespace trainyard::sweep {

/// A trial with its result. Smaller is better, and infinity is a trial that diverged.
struct Sample {
    Point point;
    double loss = 0;
};

/// Of trial `number`, from 0. `history`: results of earlier trials, for tpe. `taken`: points of all earlier trials, of
/// which none is tried again as long as others are found.
Point suggest(const SweepFile& sweep, std::int64_t number, std::span<const Sample> history,
              std::span<const Point> taken = {});

}  // namespace trainyard::sweep
