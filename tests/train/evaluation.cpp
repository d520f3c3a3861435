// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluator: losses of the weights and of their average, which leave the training as it was.

#include "train/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_training.h"
#include "train/training_step.h"

namespace trainyard::train {
namespace {

TEST(Evaluations, LeaveTheTrainingAsItWas) {
    SmallTraining small;
    const auto evaluated = small.start(), plain = small.start();
    TrainingStep step(*evaluated, [] { return Message(); }), other(*plain, [] { return Message(); });
    Evaluator evaluator(*evaluated);
    for (int i = 0; i < 4; ++i) {
        const Evaluation first = evaluator.run().value(), second = evaluator.run().value();
        EXPECT_EQ(first.loss, second.loss);
        EXPECT_EQ(first.average_loss, second.average_loss);
        EXPECT_EQ(step.run({}).loss, other.run({}).loss);
    }
    EXPECT_TRUE(evaluated->model.arena().values().equal(plain->model.arena().values()));
    EXPECT_EQ(evaluated->position.samples, plain->position.samples);
}

TEST(Evaluations, AverageLossIsThatOfTheAveragedWeights) {
    SmallTraining small;
    const auto training = small.start();
    TrainingStep step(*training, [] { return Message(); });
    Evaluator evaluator(*training);
    for (int i = 0; i < 5; ++i)
        step.run({});
    const Evaluation before = evaluator.run().value();
    EXPECT_NE(before.loss, before.average_loss);
    training->average->copy_to_model();
    training->model.publish_values();
    EXPECT_EQ(evaluator.run().value().loss, before.average_loss);
}

TEST(Evaluations, RecordTheBestLossAndTheMetricOfCheckpoints) {
    SmallTraining small;
    small.recipe.checkpoint.best_metric = "eval/loss_average";
    const auto training = small.start();
    TrainingStep step(*training, [] { return Message(); });
    Evaluator evaluator(*training);
    const Evaluation first = evaluator.run().value();
    EXPECT_EQ(training->position.best_validation_loss, first.loss);
    EXPECT_EQ(training->metric, first.average_loss);
    training->position.best_validation_loss = 0.5;
    for (int i = 0; i < 2; ++i)
        step.run({});
    const Evaluation second = evaluator.run().value();
    EXPECT_EQ(training->position.best_validation_loss, 0.5) << "a worse one does not replace it";
    EXPECT_EQ(training->metric, second.average_loss) << "the newest";
}

TEST(Evaluations, AreNothingWithoutHeldOutSamples) {
    SmallTraining small;
    small.recipe.data.validation_fraction = 0;
    const auto training = small.start();
    EXPECT_FALSE(Evaluator(*training).run().has_value());
    EXPECT_FALSE(training->metric.has_value());
}

}  // namespace
}  // namespace trainyard::train
