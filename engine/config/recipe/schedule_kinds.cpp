// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/schedule_kinds.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "config/values/value_formats.h"

namespace trainyard::config {

namespace {

std::vector<ScheduleKind> make_schedule_kinds() {
    constexpr bool kWarmsUp = true, kHasEnd = true, kFollowsLoss = true;
    std::vector<ScheduleKind> kinds{
        {"cosine", kWarmsUp, kHasEnd},
        {"linear", kWarmsUp, kHasEnd},
        {"constant", kWarmsUp},
        {"cosine_with_restarts", kWarmsUp, kHasEnd},
        {"polynomial", kWarmsUp, kHasEnd},
        {"constant_with_warmup", kWarmsUp},
        {"inverse_sqrt", kWarmsUp},
        {"reduce_lr_on_plateau", !kWarmsUp, !kHasEnd, kFollowsLoss},
        {"cosine_with_min_lr", kWarmsUp, kHasEnd},
        {"cosine_warmup_with_min_lr", kWarmsUp, kHasEnd},
        {"warmup_stable_decay", kWarmsUp, kHasEnd},
        {"greedy", !kWarmsUp, !kHasEnd, kFollowsLoss},
        {"ReduceLROnPlateau", !kWarmsUp, !kHasEnd, kFollowsLoss},
    };
    for (const char* name :
         {"StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "PolynomialLR", "CosineAnnealingLR",
          "CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR", "SequentialLR", "ChainedScheduler"})
        kinds.push_back({name});
    // DeepSpeed's.
    kinds.insert(kinds.end(), {{"WarmupLR", kWarmsUp},
                               {"WarmupDecayLR", kWarmsUp, kHasEnd},
                               {"WarmupCosineLR", kWarmsUp, kHasEnd},
                               {"OneCycle"},
                               {"LRRangeTest"}});
    return kinds;
}

/// Whether the section's keys are all that the schedule is made of: no arguments, and one of the recipe's own formulas.
bool is_plain(const ScheduleRecipe& schedule) {
    return schedule.arguments.empty() &&
           (schedule.name == "cosine" || schedule.name == "linear" || schedule.name == "constant");
}

}  // namespace

const std::vector<ScheduleKind>& schedule_kinds() {
    static const std::vector<ScheduleKind> kinds = make_schedule_kinds();
    return kinds;
}

std::vector<std::string> schedule_names() {
    std::vector<std::string> names;
    for (const ScheduleKind& kind : schedule_kinds())
        names.push_back(kind.name);
    return names;
}

void check_schedule(const Recipe& recipe, const ReportProblem& complain) {
    const ScheduleRecipe& schedule = recipe.schedule;
    const auto found = std::ranges::find(schedule_kinds(), schedule.name, &ScheduleKind::name);
    if (found == schedule_kinds().end())
        return;
    ScheduleKind kind = *found;
    std::vector<Problem> ignored;  // the reader of the recipe reported them
    const Value arguments = parse_yaml(schedule.arguments, "", ignored);
    const auto given = [&](const char* argument) { return arguments.is_map() && arguments.find(argument) != nullptr; };
    if (kind.name == "constant" && !is_plain(schedule))
        kind.warms_up = false;  // transformers' own, which has constant_with_warmup besides
    if (kind.name == "warmup_stable_decay" && given("num_stable_steps"))
        kind.has_end = false;
    const std::vector<std::string> others{"schedule.name", "schedule.arguments"};
    if (schedule.warmup_steps > 0 && !kind.warms_up)
        complain("schedule.warmup_steps", others,
                 Message("has no effect on {}, which has no warm-up of its own: set it to 0, or take "
                         "SequentialLR of a LinearLR and {}",
                         kind.name, kind.name));
    else if (const char* name = kind.warmup_argument(); schedule.warmup_steps > 0 && given(name))
        complain("schedule.warmup_steps", others,
                 Message("is given twice: schedule.arguments has {}, too: leave one out", name));
    if (schedule.decay_steps > 0 && !kind.has_end)
        complain("schedule.decay_steps", others,
                 Message("has no effect on {}, which has no decay that ends at a step: set it to 0", kind.name));
    else if (const char* name = kind.end_argument(); schedule.decay_steps > 0 && given(name))
        complain("schedule.decay_steps", others,
                 Message("is given twice: schedule.arguments has {}, too: leave one out", name));
    if (schedule.min_lr_ratio > 0 && (!is_plain(schedule) || kind.name == "constant"))
        complain("schedule.min_lr_ratio", others,
                 Message("only the plain cosine and linear schedules end at it: give {} its own arguments, "
                         "or leave min_lr_ratio out",
                         kind.name));
    if (kind.follows_loss && (recipe.training.evaluate_every == 0 || recipe.data.validation_fraction == 0))
        complain("schedule.name", {"training.evaluate_every", "data.validation_fraction"},
                 Message("{} follows the validation loss, which is computed only at the end, so the learning "
                         "rate would never change: set training.evaluate_every and data.validation_fraction",
                         kind.name));
}

}  // namespace trainyard::config
