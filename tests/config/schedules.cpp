// SPDX-License-Identifier: GPL-3.0-or-later
// The section `schedule` of recipes: each of its keys acts on the named schedule, or is refused with the name of both
// before the start.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "config/recipe/schedule_kinds.h"
#include "support/says.h"

namespace trainyard::config {
namespace {

using test::says;
using testing::EndsWith;
using ::testing::HasSubstr;

std::string problem_text(const std::string& text) {
    try {
        parse_recipe(text, "/r/r.yaml");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "none";
}

/// Returns a recipe with this schedule; `arguments` are those that it requires.
std::string section(const std::string& name, const std::string& keys, const std::string& arguments = {}) {
    return "training: {evaluate_every: 10, steps: 100}\nschedule: {name: " + name + keys +
           (arguments.empty() ? "" : ", arguments: {" + arguments + "}") + "}";
}

TEST(Schedules, AWarmUpThatWouldHaveNoEffectIsRefused) {
    EXPECT_THAT(problem_text(section("CosineAnnealingLR", ", warmup_steps: 4", "T_max: 8")),
                HasSubstr("schedule.warmup_steps: has no effect on CosineAnnealingLR"));
    EXPECT_THAT(problem_text(section("OneCycleLR", ", warmup_steps: 4", "max_lr: 0.001, total_steps: 8")),
                HasSubstr("schedule.warmup_steps: has no effect on OneCycleLR"));
    EXPECT_THAT(problem_text(section("StepLR", ", warmup_steps: 4", "step_size: 3")),
                HasSubstr("schedule.warmup_steps: has no effect on StepLR"));
    EXPECT_EQ(problem_text(section("StepLR", ", warmup_steps: 0", "step_size: 3")), "none");
    EXPECT_THAT(problem_text(section("constant", ", warmup_steps: 4", "num_training_steps: 9")),
                HasSubstr("schedule.warmup_steps: has no effect on constant"));
    EXPECT_EQ(problem_text(section("constant", ", warmup_steps: 4")), "none") << "the recipe's own has a warm-up";
    EXPECT_THAT(problem_text(section("cosine_with_restarts", ", warmup_steps: 4", "num_warmup_steps: 2")),
                test::says("is given twice: schedule.arguments has {}, too: leave one out", testing::_)
                    .after("schedule.warmup_steps: "));
}

TEST(Schedules, TheEndOfADecayThatIsNoneIsRefused) {
    EXPECT_THAT(problem_text(section("constant", ", min_lr_ratio: 0.1")), HasSubstr("schedule.min_lr_ratio"));
    EXPECT_THAT(problem_text(section("constant", ", decay_steps: 50")),
                HasSubstr("schedule.decay_steps: has no effect on constant"));
    EXPECT_THAT(problem_text(section("inverse_sqrt", ", decay_steps: 50")),
                HasSubstr("schedule.decay_steps: has no effect on inverse_sqrt"));
    EXPECT_THAT(
        problem_text(section("warmup_stable_decay", ", decay_steps: 50", "num_stable_steps: 9, num_decay_steps: 9")),
        HasSubstr("schedule.decay_steps: has no effect on warmup_stable_decay"));
    EXPECT_THAT(problem_text(section("polynomial", ", decay_steps: 50", "num_training_steps: 20")),
                test::says("is given twice: schedule.arguments has {}, too: leave one out", testing::_)
                    .after("schedule.decay_steps: "));
}

TEST(Schedules, WhatFollowsTheLossNeedsEvaluations) {
    for (const ScheduleKind& kind : schedule_kinds()) {
        const std::string problem = problem_text("schedule: {name: " + kind.name + "}");
        if (kind.follows_loss) {
            EXPECT_THAT(problem,
                        says("{} follows the validation loss, which is computed only at the end, so the learning rate "
                             "would never change: set training.evaluate_every and data.validation_fraction",
                             EndsWith("schedule.name: " + kind.name)));
        } else {
            EXPECT_EQ(problem, "none") << kind.name;
        }
    }
}

TEST(Schedules, OverridesAndHandMadeRecipesAreCheckedAlike) {
    Recipe recipe = parse_recipe("schedule: {warmup_steps: 4}\ntraining: {steps: 9}", "r");
    try {
        apply_overrides(recipe, {"schedule.name=StepLR", "schedule.arguments={step_size: 2}"});
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("schedule.warmup_steps: has no effect on StepLR"));
    }
    recipe.schedule.name = "StepLR";
    const std::vector<Problem> problems = check_recipe(recipe);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].key, "schedule.warmup_steps");
}

}  // namespace
}  // namespace trainyard::config
