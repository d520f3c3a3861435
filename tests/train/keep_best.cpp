// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoint.keep_best by any curve of the run (checkpoint.best_metric, best_mode), and keep_every: which folders are left.

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/files/manifest.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using ::testing::ElementsAre;

class KeepBest : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 400; ++i)
            text << static_cast<char>('a' + i * 7 % 23);
        text.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 8;
        recipe_.data.validation_fraction = 0;
        recipe_.model.n_embd = 8;
        recipe_.model.n_layer = 1;
        recipe_.model.n_head = 1;
        recipe_.training.batch_size = 2;
        recipe_.checkpoint.keep_last = 1;
        recipe_.checkpoint.keep_best = 1;
        recipe_.checkpoint.best_metric = "train/grad_norm";
    }

    std::filesystem::path checkpoints() const { return folder_.path() / "checkpoints"; }

    /// A step and a checkpoint for each value of the metric.
    void train(const std::vector<double>& values, const std::filesystem::path& resume_from = {}) {
        parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
        config::Recipe recipe = recipe_;
        recipe.checkpoint.resume_from = resume_from.string();
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        for (double value : values) {
            trainer.step();
            trainer.note_metric("train/grad_norm", value);
            trainer.note_metric("train/loss", -value);  // another curve
            trainer.save(checkpoints());
        }
    }

    std::set<std::int64_t> left() const {
        std::set<std::int64_t> numbers;
        for (const auto& entry : std::filesystem::directory_iterator(checkpoints()))
            numbers.insert(checkpoint::read_manifest(entry.path()).number);
        return numbers;
    }
};

TEST_F(KeepBest, ByTheLowest) {
    train({0.5, 0.3, 0.9, 0.4, 0.6});
    EXPECT_THAT(left(), ElementsAre(2, 5));
    EXPECT_EQ(checkpoint::read_manifest(checkpoints() / "checkpoint_2").metric, 0.3);
}

TEST_F(KeepBest, ByTheHighest) {
    recipe_.checkpoint.best_mode = config::BestMode::max;
    train({0.5, 0.3, 0.9, 0.4, 0.6});
    EXPECT_THAT(left(), ElementsAre(3, 5));
}

TEST_F(KeepBest, AndThoseWhoseStepIsAMultiple) {
    recipe_.checkpoint.keep_every = 2;
    train({0.5, 0.3, 0.1, 0.4, 0.6, 0.8, 0.7});
    EXPECT_THAT(left(), ElementsAre(2, 3, 4, 6, 7));
}

TEST_F(KeepBest, TheNewestValueSurvivesAResumeUnderItsOwnNameAlone) {
    train({0.2, 0.1});
    auto resumed_metric = [&](const std::string& name) {
        recipe_.checkpoint.best_metric = name;
        parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
        config::Recipe recipe = recipe_;
        recipe.checkpoint.resume_from = (checkpoints() / "checkpoint_2").string();
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        trainer.step();
        const auto place = folder_.path() / ("of " + name.substr(6));
        return checkpoint::read_manifest(trainer.save(place).folder).metric;
    };
    EXPECT_EQ(resumed_metric("train/grad_norm"), 0.1);
    EXPECT_EQ(resumed_metric("train/loss"), std::nullopt) << "a value of another curve says nothing";
}

}  // namespace
}  // namespace trainyard::train
