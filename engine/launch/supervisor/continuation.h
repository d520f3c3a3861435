// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run that is over and continues with more steps: a new run from its last checkpoint.

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "run/paths.h"

namespace trainyard::launch {

struct Continuation {
    run::RunPaths run;
    config::Recipe recipe;   ///< of the run
    std::int64_t step = 0;   ///< of its last good checkpoint
    std::int64_t steps = 0;  ///< training.steps of the run
    /// Step at which the decay of the learning rate ends; 0: the schedule has no end that follows from the recipe.
    std::int64_t decay_end = 0;
};

/// Throws UserError if the run cannot continue: it is active, a program, a copy of another machine's run, or has no
/// good checkpoint.
Continuation continuation_of(const run::RunPaths& run);

/// The recipe's assignments (`key=value` of --set) for `steps` steps in all. `keep_schedule`: the learning rate stays
/// what it would have been in the run, whose decay does not move. Throws UserError if nothing is left to train, or the
/// learning rate would be 0.
std::vector<std::string> continuation_settings(const Continuation& from, std::int64_t steps, bool keep_schedule);

/// How the learning rates of a recipe that resumes from a checkpoint of another run differ from those of a run of the
/// same recipe from the start; empty: they are equal, or the runs before are not on this machine.
Message resumed_schedule_note(const config::Recipe& recipe);

}  // namespace trainyard::launch
