// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The learning rate schedules of recipes, and which keys of the section `schedule` each of them uses. optim/schedule.h
// computes them.

#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "config/recipe/section_checks.h"

namespace trainyard::config {

struct ScheduleKind {
    std::string name;
    bool warms_up = false;      ///< uses schedule.warmup_steps
    bool has_end = false;       ///< uses schedule.decay_steps, or training.steps where that is 0
    bool follows_loss = false;  ///< changes the rate after evaluations alone

    /// The schedule's own arguments for schedule.warmup_steps and the end of the decay.
    const char* warmup_argument() const { return is_of_deepspeed() ? "warmup_num_steps" : "num_warmup_steps"; }
    const char* end_argument() const { return is_of_deepspeed() ? "total_num_steps" : "num_training_steps"; }
    /// transformers' names begin with a small letter.
    bool is_of_deepspeed() const { return name.starts_with("Warmup"); }
};

/// The recipe's own first, then those of optim::schedule_names().
const std::vector<ScheduleKind>& schedule_kinds();
std::vector<std::string> schedule_names();

/// Reports keys of the section `schedule` that the named schedule does not use, and a schedule that never acts.
void check_schedule(const Recipe& recipe, const ReportProblem& complain);

}  // namespace trainyard::config
