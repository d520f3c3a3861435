// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/rate_schedule.h"

#include <map>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "config/recipe/schedule_kinds.h"
#include "optim/schedule.h"

namespace trainyard::train {
namespace {

config::Recipe recipe_of(const std::string& schedule) {
    return config::parse_recipe(
        "optimizer: {lr: 0.1}\ntraining: {steps: 10, evaluate_every: 2}\nschedule: " + schedule + "\n", "r");
}

std::vector<double> rates_of(RateSchedule& rates, int count) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i) {
        result.push_back(rates.lr());
        rates.advance();
    }
    return result;
}

TEST(RateSchedule, EveryNameOfTheLibraryMayStandInARecipe) {
    for (const std::string& name : optim::schedule_names())
        EXPECT_NO_THROW(recipe_of("{name: " + name + "}")) << name;
}

/// Every key of the section changes the rates of every schedule, or is refused; and the table names the library's
/// schedules.
TEST(RateSchedule, EveryKeyActsOrIsRefused) {
    const std::map<std::string, std::string> needed{
        {"cosine_with_min_lr", "min_lr: 0.01"},
        {"cosine_warmup_with_min_lr", "min_lr: 0.01"},
        {"warmup_stable_decay", "num_decay_steps: 2"},
        {"StepLR", "step_size: 3"},
        {"MultiStepLR", "milestones: [3]"},
        {"ExponentialLR", "gamma: 0.9"},
        {"CosineAnnealingLR", "T_max: 8"},
        {"CosineAnnealingWarmRestarts", "T_0: 3"},
        {"CyclicLR", "base_lr: 0.01, max_lr: 0.1, cycle_momentum: false"},
        {"OneCycleLR", "max_lr: 0.1, total_steps: 10"},
        {"OneCycle", "cycle_min_lr: 0.01, cycle_max_lr: 0.1"},
        {"SequentialLR", "schedulers: [{name: ConstantLR}, {name: LinearLR}], milestones: [3]"},
        {"ChainedScheduler", "schedulers: [{name: ConstantLR}]"}};
    std::set<std::string> known;
    for (const config::ScheduleKind& kind : config::schedule_kinds()) {
        known.insert(kind.name);
        if (kind.follows_loss)
            continue;  // without a warm-up, an end and steps (config.schedules)
        const auto more = needed.find(kind.name);
        const std::string own = more == needed.end() ? "" : ", arguments: {" + more->second + "}";
        RateSchedule plain(recipe_of("{name: " + kind.name + own + "}"));
        const std::vector<double> rates = rates_of(plain, 10);
        for (const char* key : {"warmup_steps: 3", "decay_steps: 5", "min_lr_ratio: 0.5"}) {
            std::optional<config::Recipe> recipe;
            try {
                recipe = recipe_of("{name: " + kind.name + ", " + key + own + "}");
            } catch (const InvalidInput& error) {
                EXPECT_NE(std::string(error.what()).find(kind.name), std::string::npos) << error.what();
                continue;
            }
            RateSchedule changed(*recipe);
            EXPECT_NE(rates_of(changed, 10), rates) << kind.name << " " << key;
        }
    }
    for (const std::string& name : optim::schedule_names())
        EXPECT_TRUE(known.contains(name)) << name;
}

TEST(RateSchedule, NamedOnesTakeTheRecipesNumbers) {
    RateSchedule ours(recipe_of("{name: linear, warmup_steps: 2}"));
    RateSchedule named(recipe_of("{name: polynomial, warmup_steps: 2, arguments: {lr_end: 0.0, power: 1.0}}"));
    auto a = rates_of(ours, 10), b = rates_of(named, 10);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST(RateSchedule, ArgumentsReachTheSchedule) {
    RateSchedule steps(recipe_of("{name: StepLR, arguments: {step_size: 3, gamma: 0.5}}"));
    EXPECT_EQ(rates_of(steps, 7), (std::vector<double>{0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025}));
    EXPECT_THROW(RateSchedule(recipe_of("{name: StepLR, arguments: {gama: 0.5}}")), InvalidInput);
}

TEST(RateSchedule, TheHighestRateCanBeChangedAndTheCourseStays) {
    for (const char* text : {"{name: linear}", "{name: ExponentialLR, arguments: {gamma: 0.9}}"}) {
        RateSchedule plain(recipe_of(text)), changed(recipe_of(text));
        changed.set_highest(0.05);
        auto a = rates_of(plain, 5), b = rates_of(changed, 5);
        for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i] / 2, b[i], 1e-12);
    }
}

TEST(RateSchedule, PlateausFollowTheLoss) {
    RateSchedule rates(recipe_of("{name: ReduceLROnPlateau, arguments: {patience: 0, factor: 0.5}}"));
    rates.advance();
    rates.observe(1.0);
    EXPECT_EQ(rates.lr(), 0.1);
    rates.observe(1.0);
    EXPECT_EQ(rates.lr(), 0.05);
}

TEST(RateSchedule, GoesOnFromItsState) {
    for (const char* text :
         {"{name: cosine, warmup_steps: 2}", "{name: CosineAnnealingWarmRestarts, arguments: {T_0: 3}}",
          "{name: OneCycleLR, arguments: {max_lr: 0.1, total_steps: 10}}"}) {
        RateSchedule whole(recipe_of(text)), first(recipe_of(text)), second(recipe_of(text));
        auto expected = rates_of(whole, 10);
        rates_of(first, 4);
        second.load_state_dict(first.state_dict());
        EXPECT_EQ(second.momentum(), first.momentum());
        auto rest = rates_of(second, 6);
        EXPECT_EQ(rest, std::vector<double>(expected.begin() + 4, expected.end())) << text;
    }
}

}  // namespace
}  // namespace trainyard::train
