// SPDX-License-Identifier: GPL-3.0-or-later
// TrainerState: another training resumes from its files with everything, and one that goes back keeps what it has
// learnt about the run.

#include "train/trainer_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/saver.h"
#include "small_training.h"
#include "train/evaluation.h"
#include "train/training_step.h"

namespace trainyard::train {
namespace {

std::filesystem::path save(Training& training, const std::filesystem::path& checkpoints) {
    checkpoint::SaveRequest request;
    request.folder = checkpoints / ("checkpoint_" + std::to_string(training.position.step));
    request.files = TrainerState(training).files_to_save();
    request.position = checkpoint::to_json(training.position);
    request.number = training.position.step;
    request.wait = true;
    const std::filesystem::path folder = request.folder;
    checkpoint::Saver().save(std::move(request));
    return folder;
}

void run_steps(TrainingStep& step, int count) {
    for (int i = 0; i < count; ++i)
        step.run({});
}

/// Weights, moments and averages.
void expect_same(const Training& one, const Training& other) {
    const auto equal = [](const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_TRUE(a[i].equal(b[i])) << i;
    };
    const auto tensors = [](const Training& training) {
        std::vector<at::Tensor> all = training.optimizer.parameters();
        for (const FlatOptimizer::State& state : training.optimizer.states())
            all.push_back(state.own);
        for (const auto& [name, average] : training.average->tensors())
            all.push_back(average);
        return all;
    };
    equal(tensors(one), tensors(other));
}

TEST(TrainerStates, AnotherTrainingResumesFromTheirFiles) {
    SmallTraining small;
    small.recipe.checkpoint.best_metric = "eval/loss";
    const auto training = small.start();
    TrainingStep step(*training, [] { return Message(); });
    run_steps(step, 3);
    Evaluator(*training).run();
    small.recipe.checkpoint.resume_from = save(*training, small.folder() / "checkpoints").string();
    const auto resumed = small.start();
    expect_same(*training, *resumed);
    EXPECT_EQ(resumed->position.step, 3);
    EXPECT_EQ(resumed->steps_done, 3);
    EXPECT_EQ(resumed->position.samples, training->position.samples);
    EXPECT_EQ(resumed->position.best_validation_loss, training->position.best_validation_loss);
    EXPECT_EQ(resumed->updates, 3);
    EXPECT_EQ(resumed->metric, training->metric);
    EXPECT_TRUE(resumed->metric.has_value());
    EXPECT_EQ(resumed->average->calls(), 3);
    TrainingStep next(*resumed, [] { return Message(); });
    EXPECT_EQ(step.run({}).loss, next.run({}).loss);
    expect_same(*training, *resumed);
}

TEST(TrainerStates, GoBackToWeightsAndMomentsAlone) {
    SmallTraining small;
    small.recipe.checkpoint.best_metric = "score";
    const auto training = small.start();
    TrainingStep step(*training, [] { return Message(); });
    run_steps(step, 2);
    const std::filesystem::path folder = save(*training, small.folder() / "checkpoints");
    small.recipe.checkpoint.resume_from = folder.string();
    const auto saved = small.start();
    run_steps(step, 2);
    training->note_metric("score", 7);
    training->note_metric("another", 8);
    training->rates.set_highest(5e-4);
    const Tree health = training->health.state_dict();
    TrainerState(*training).go_back_to(folder);
    expect_same(*training, *saved);
    EXPECT_EQ(training->updates, 2);
    EXPECT_EQ(training->position.step, 4) << "data and steps continue";
    EXPECT_EQ(training->position.samples, 4 * 4);
    EXPECT_EQ(training->metric, 7);
    EXPECT_DOUBLE_EQ(training->rates.highest(), 5e-4);
    EXPECT_TRUE(training->health.state_dict() == health);
}

TEST(TrainerStates, OneRankWritesAModelOfTransformersWithOptimizerAndAverage) {
    SmallTraining small;
    const auto training = small.start();
    const TrainerState state(*training);
    std::vector<std::string> names;
    for (const checkpoint::FileToSave& file : state.files_to_save())
        names.push_back(file.name);
    EXPECT_THAT(names, ::testing::IsSupersetOf({"model.safetensors", "optimizer.bin", "average.safetensors",
                                                "trainer.bin", "position.json", "config.json"}));
    EXPECT_FALSE(state.saves_together());
}

}  // namespace
}  // namespace trainyard::train
