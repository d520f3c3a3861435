// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingStep: what one step changes, and what it does where the health of the run demands more.

#include "train/training_step.h"

#include <limits>
#include <vector>

#include <ATen/core/grad_mode.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_training.h"

namespace trainyard::train {
namespace {

TEST(TrainingSteps, MoveThePositionAndUpdateTheWeights) {
    SmallTraining small;
    const auto training = small.start();
    TrainingStep step(*training, [] { return Message("not called"); });
    const at::Tensor before = training->model.arena().values().clone();
    std::vector<double> losses;
    for (std::int64_t number = 1; number <= 20; ++number) {
        const StepReport report = step.run({});
        EXPECT_EQ(report.step, number);
        EXPECT_FALSE(report.skipped);
        EXPECT_EQ(report.targets, 4 * 15);  // the last token of a sample has no successor
        EXPECT_TRUE(report.notices.empty());
        EXPECT_DOUBLE_EQ(report.loss, report.own_loss);
        losses.push_back(report.loss);
    }
    EXPECT_LT(losses.back(), losses.front());
    EXPECT_EQ(training->position.step, 20);
    EXPECT_EQ(training->position.samples, 20 * 4);
    EXPECT_EQ(training->position.tokens, 20 * 4 * 16);
    EXPECT_EQ(training->steps_done, 20);
    EXPECT_EQ(training->updates, 20);
    EXPECT_EQ(training->average->calls(), 20);
    EXPECT_FALSE(before.equal(training->model.arena().values()));
}

TEST(TrainingSteps, SkipAnUpdateThatIsNotFiniteAndRollBackBeforeTheReport) {
    SmallTraining small;
    small.recipe.health.on_non_finite = HealthAction::rollback;
    const auto training = small.start();
    const at::Tensor values = training->model.arena().values();
    const at::Tensor good = values.clone();
    int calls = 0;
    TrainingStep step(*training, [&] {
        ++calls;
        at::NoGradGuard no_grad;
        values.copy_(good);
        training->model.publish_values();
        return Message("back at the first weights");
    });
    {
        at::NoGradGuard no_grad;
        values.fill_(std::numeric_limits<float>::infinity());
        training->model.publish_values();
    }
    const StepReport report = step.run({});
    EXPECT_TRUE(report.skipped);
    EXPECT_TRUE(report.rolls_back);
    EXPECT_FALSE(report.first_non_finite.empty());
    ASSERT_EQ(report.notices.size(), 2);
    EXPECT_STREQ(report.notices[0].kind, "nan");
    EXPECT_EQ(report.notices[1].text.text(), "back at the first weights");
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(training->updates, 0);
    EXPECT_TRUE(good.equal(values));
    EXPECT_FALSE(step.run({}).skipped) << "the data continues";
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(training->position.step, 2);
    EXPECT_EQ(training->updates, 1);
}

TEST(TrainingSteps, SetTheRateThatIsRequestedForTheNextStep) {
    SmallTraining small;
    const auto training = small.start(), other = small.start();
    TrainingStep step(*training, [] { return Message(); }), plain(*other, [] { return Message(); });
    StepRequests requests;
    requests.lr = 5e-4;
    EXPECT_EQ(step.run(requests).agreed.lr, 5e-4);
    EXPECT_DOUBLE_EQ(training->rates.highest(), 5e-4);
    plain.run({});
    EXPECT_DOUBLE_EQ(step.run({}).lr, plain.run({}).lr / 2);
}

}  // namespace
}  // namespace trainyard::train
