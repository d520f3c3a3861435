// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "train/rate_schedule.h"

namespace trainyard::train {
namespace {

using config::ScheduleRecipe;

ScheduleRecipe schedule(const std::string& name, std::int64_t warmup, double floor = 0) {
    ScheduleRecipe recipe;
    recipe.name = name;
    recipe.warmup_steps = warmup;
    recipe.min_lr_ratio = floor;
    return recipe;
}

// Factors as transformers 5.23 gives them for 10 training steps and 4 warm-up steps.
TEST(LearningRate, CosineWithWarmUp) {
    const double expected[] = {
        0.0, 0.25, 0.5, 0.75, 1.0, 0.9330127018922194, 0.75, 0.5, 0.2500000000000001, 0.06698729810778066};
    for (int step = 0; step < 10; ++step)
        EXPECT_NEAR(learning_rate_factor(schedule("cosine", 4), 10, step), expected[step], 1e-12) << step;
}

TEST(LearningRate, LinearWithWarmUp) {
    const double expected[] = {0.0, 0.25, 0.5, 0.75, 1.0, 5.0 / 6, 4.0 / 6, 0.5, 2.0 / 6, 1.0 / 6};
    for (int step = 0; step < 10; ++step)
        EXPECT_NEAR(learning_rate_factor(schedule("linear", 4), 10, step), expected[step], 1e-12) << step;
}

TEST(LearningRate, ConstantAndFloors) {
    EXPECT_EQ(learning_rate_factor(schedule("constant", 0), 10, 9), 1.0);
    EXPECT_NEAR(learning_rate_factor(schedule("cosine", 0, 0.1), 10, 10), 0.1, 1e-12);
    EXPECT_NEAR(learning_rate_factor(schedule("cosine", 0, 0.1), 10, 10'000), 0.1, 1e-12) << "never rises again";
    ScheduleRecipe longer = schedule("linear", 0);
    longer.decay_steps = 100;
    EXPECT_NEAR(learning_rate_factor(longer, 10, 10), 0.9, 1e-12);
}

}  // namespace
}  // namespace trainyard::train
