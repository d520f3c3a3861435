// SPDX-License-Identifier: GPL-3.0-or-later
// A recipe on one rank and two: its loss falls, the same seed gives the same bits, stopped and resumed too; what does not fit is refused. All
// layouts beside each other: tests/layouts.

#include <fstream>
#include <map>
#include <random>

#include <ATen/ops/full.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/random_state.h"
#include "checkpoint/saver.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

struct Curve {
    std::vector<double> losses, norms;
    std::vector<double> evaluations;
};

class LayoutInvariance : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        // English-like text is not needed: any bytes with some structure have a falling loss.
        std::mt19937 random(5);
        std::ofstream file(folder_.path() / "text.txt");
        const char* words[] = {"rank ", "shard ", "gather ", "loss ", "scale ", "step ", "node\n"};
        for (int i = 0; i < 8000; ++i)
            file << words[random() % 7];
        file.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = 16;
        recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 32;
        recipe_.model.n_layer = 2;
        recipe_.model.n_head = 2;
        recipe_.training.steps = 12;
        recipe_.training.batch_size = 8;
        recipe_.training.evaluate_batches = 4;
        recipe_.schedule.warmup_steps = 3;
        recipe_.optimizer.lr = 3e-3;
    }

    config::Recipe with(std::int64_t batch, std::int64_t accumulation) const {
        config::Recipe recipe = recipe_;
        recipe.training.batch_size = batch;
        recipe.training.gradient_accumulation_steps = accumulation;
        // Held-out batches count whole global batches of one forward: keep the samples the same.
        recipe.training.evaluate_batches = recipe_.training.evaluate_batches;
        return recipe;
    }

    /// Trains from where the recipe says until `steps`, saves there when asked to, evaluates at the end.
    Curve train(const config::Recipe& recipe, int ranks, std::int64_t steps,
                const std::filesystem::path& save_to = {}) {
        Curve curve;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < steps) {
                StepReport report = trainer.step();
                if (mesh.rank() == 0) {
                    curve.losses.push_back(report.loss);
                    curve.norms.push_back(report.gradient_norm);
                }
            }
            auto evaluation = trainer.evaluate();
            if (mesh.rank() == 0 && evaluation)
                curve.evaluations.push_back(evaluation->loss);
            if (!save_to.empty())
                trainer.save(save_to);
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        return curve;
    }
};

TEST_F(LayoutInvariance, TheLossFalls) {
    Curve curve = train(recipe_, 1, 12);
    EXPECT_LT(curve.losses.back(), 0.9 * curve.losses.front());
    ASSERT_EQ(curve.evaluations.size(), 1u);
    EXPECT_LT(curve.evaluations[0], curve.losses.front());
}

TEST_F(LayoutInvariance, TheSameSeedGivesTheSameBits) {
    Curve first = train(recipe_, 1, 12), second = train(recipe_, 1, 12);
    EXPECT_EQ(first.losses, second.losses);
    EXPECT_EQ(first.evaluations, second.evaluations);
}

TEST_F(LayoutInvariance, ResumedEqualsUninterruptedToTheBit) {
    for (int ranks : {1, 2}) {
        auto place = folder_.path() / ("checkpoints" + std::to_string(ranks));
        config::Recipe recipe = with(ranks == 1 ? 8 : 4, 1);
        recipe.model.resid_pdrop = 0.1;
        Curve whole = train(recipe, ranks, 12);
        Curve first = train(recipe, ranks, 5, place);
        recipe.checkpoint.resume_from = place.string();
        Curve second = train(recipe, ranks, 12);
        first.losses.insert(first.losses.end(), second.losses.begin(), second.losses.end());
        EXPECT_EQ(first.losses, whole.losses) << ranks << " ranks";
        EXPECT_EQ(second.evaluations, whole.evaluations) << ranks << " ranks";
    }
}

TEST_F(LayoutInvariance, Bfloat16FollowsTheSameCurveLoosely) {
    Curve full = train(recipe_, 1, 12);
    recipe_.training.mixed_precision = Precision::bf16;
    Curve half = train(recipe_, 1, 12);
    for (std::size_t i = 0; i < full.losses.size(); ++i)
        EXPECT_NEAR(half.losses[i], full.losses[i], 0.05);
    EXPECT_NE(half.losses, full.losses);
}

TEST_F(LayoutInvariance, AFolderOfAcceleratesSaveStateGoesOn) {
    recipe_.optimizer.decay_all = true;
    recipe_.schedule.warmup_steps = 0;
    auto place = folder_.path() / "accelerate" / "checkpoint_0";
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe_, mesh, at::kCPU);
    trainer.start();
    for (int step = 0; step < 5; ++step)
        trainer.step();
    checkpoint::TrainingState state;
    checkpoint::Content content = trainer.content();
    Tree moments = Tree::dict();
    NamedTensors weights;
    std::map<std::string, at::Tensor> by_name;
    for (const checkpoint::LogicalTensor& tensor : content.optimizer)
        by_name[tensor.name] = tensor.local;
    std::int64_t number = 0;
    for (const parallel::Unit* unit : trainer.model().units())
        for (const parallel::Parameter* parameter : unit->parameters()) {
            weights.emplace_back(parameter->name(), parameter->value());
            moments.set(TreeKey(number++), Tree::dict({{"step", at::full({}, 5.0)},
                                                       {"exp_avg", by_name["exp_avg." + parameter->name()]},
                                                       {"exp_avg_sq", by_name["exp_avg_sq." + parameter->name()]}}));
        }
    state.models = {weights};
    Tree numbers = Tree::list();
    for (std::int64_t i = 0; i < number; ++i)
        numbers.append(i);
    state.optimizers = {Tree::dict({{"state", moments},
                                    {"param_groups", Tree::list({Tree::dict({{"lr", recipe_.optimizer.lr},
                                                                             {"betas", Tree::tuple({0.9, 0.999})},
                                                                             {"eps", 1e-8},
                                                                             {"weight_decay", 0.01},
                                                                             {"amsgrad", false},
                                                                             {"params", numbers}})})}})};
    state.random = checkpoint::capture_random_state(5);
    {
        checkpoint::Saver saver;
        checkpoint::SaveRequest request;
        request.folder = place;
        request.files = checkpoint::files_of(state, {});
        saver.save(std::move(request));
        saver.flush();
    }
    config::Recipe rest = recipe_;
    rest.checkpoint.resume_from = place.string();
    Trainer again(rest, mesh, at::kCPU);
    EXPECT_THAT(again.start(), ::testing::HasSubstr("at step 5"));
    StepReport expected = trainer.step(), got = again.step();
    EXPECT_EQ(got.loss, expected.loss);
    EXPECT_EQ(got.lr, expected.lr);
    EXPECT_TRUE(again.arena().values().equal(trainer.arena().values())) << "every bit after another update";
}

TEST_F(LayoutInvariance, AnotherDataSetIsRefusedOnResume) {
    auto place = folder_.path() / "checkpoints";
    train(recipe_, 1, 2, place);
    recipe_.checkpoint.resume_from = place.string();
    recipe_.data.sequence_length = 8;
    EXPECT_THROW(train(recipe_, 1, 4), UserError);
}

TEST_F(LayoutInvariance, RanksWithDifferentModelsAreRefused) {
    EXPECT_THROW(test::run_ranks(2,
                                 [&](std::unique_ptr<parallel::World> world) {
                                     config::Recipe mine = recipe_;
                                     mine.model.n_layer = world->rank() + 1;
                                     parallel::Mesh mesh(parallel::replicas(2), std::move(world));
                                     Trainer trainer(mine, mesh, at::kCPU);
                                     trainer.start();
                                 }),
                 UserError);
}

TEST_F(LayoutInvariance, ANonFiniteStepIsSkippedAndNamed) {
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe_, mesh, at::kCPU);
    trainer.start();
    trainer.step();
    at::Tensor before = trainer.arena().values().clone();
    trainer.arena().groups()[1].parameters()[0]->value().view({-1})[0] = std::numeric_limits<float>::infinity();
    at::Tensor poisoned = trainer.arena().values().clone();
    StepReport report = trainer.step();
    EXPECT_TRUE(report.skipped);
    EXPECT_FALSE(report.first_non_finite.empty());
    EXPECT_TRUE(poisoned.equal(trainer.arena().values())) << "the optimizer did not touch the weights";
}

}  // namespace
}  // namespace trainyard::train
