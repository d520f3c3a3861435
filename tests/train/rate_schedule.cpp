#include "train/rate_schedule.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe.h"
#include "optim/schedule.h"

namespace trainyard::train {
namespace {

config::Recipe recipe_of(const std::string& schedule) {
    return config::parse_recipe("optimizer: {lr: 0.1}\ntraining: {steps: 10}\nschedule: " + schedule + "\n", "r");
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
