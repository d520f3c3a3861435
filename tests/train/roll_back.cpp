// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of health.on_spike and health.on_non_finite with `rollback`: the state of every rank becomes bitwise that of
// the checkpoint, for one rank, replicas, sharded state and pipeline stages, while the data and the step number
// continue.

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include <ATen/core/grad_mode.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;

struct RollBackCase {
    const char* name;
    int ranks;
    int stages;
    std::int64_t zero_stage;
    Precision precision;
    bool spike;  ///< scales the weights so that the loss spikes; otherwise makes them infinite
};

void PrintTo(const RollBackCase& each, std::ostream* out) {
    *out << each.name;
}

std::map<std::string, at::Tensor> all_of(const Trainer& trainer) {
    std::map<std::string, at::Tensor> all;
    const checkpoint::Content content = trainer.content();
    for (const auto* part : {&content.weights, &content.optimizer})
        for (const checkpoint::LogicalTensor& tensor : *part) {
            std::string name = tensor.name;
            while (all.contains(name))  // boxes of one tensor
                name += "+";
            all[name] = tensor.local.clone();
        }
    return all;
}

std::string texts_of(const StepReport& report) {
    std::string all;
    for (const Notice& notice : report.notices)
        all += notice.text.text() + "\n";
    return all;
}

class RollBack : public ::testing::TestWithParam<RollBackCase> {
  protected:
    RollBack() {
        std::mt19937 random(5);
        std::ofstream file(folder_.path() / "text.txt");
        const char* words[] = {"spike ", "check ", "point ", "batch ", "loss ", "back\n"};
        for (int i = 0; i < 4000; ++i)
            file << words[random() % 6];
        file.close();
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 16;
        recipe_.model.n_layer = 2;
        recipe_.model.n_head = 2;
        recipe_.training.steps = 100;
        recipe_.training.batch_size = 4;
        recipe_.training.ema_decay = 0.5;
        recipe_.training.evaluate_batches = 2;
        recipe_.optimizer.lr = 1e-3;
        recipe_.health.on_spike = recipe_.health.on_non_finite = HealthAction::rollback;
        recipe_.health.spike_window = 8;
        recipe_.checkpoint.every = 10;
        recipe_.parallel.bucket_cap_mb = 0.01;
    }
    test::TemporaryFolder folder_;
    config::Recipe recipe_;
};

TEST_P(RollBack, GoesBackToTheCheckpointAndOnInTheData) {
    const RollBackCase& layout = GetParam();
    recipe_.parallel.zero_stage = layout.zero_stage;
    recipe_.parallel.pp_size = layout.stages;
    if (layout.stages > 1)
        recipe_.training.ema_decay = 0;  // refused there
    recipe_.training.mixed_precision = layout.precision;
    test::run_ranks(layout.ranks, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(layout.stages, layout.ranks), std::move(world));
        Trainer trainer(recipe_, mesh, at::kCPU);
        trainer.start();
        auto spoil = [&] {
            at::NoGradGuard no_grad;
            trainer.arena().values().mul_(layout.spike ? -40.0 : std::numeric_limits<double>::infinity());
            trainer.arena().refresh_compute();
        };
        for (int step = 0; step < 10; ++step)
            EXPECT_FALSE(trainer.step().rolls_back) << step;
        trainer.begin_save(folder_.path() / "checkpoints");  // written while training continues
        const std::map<std::string, at::Tensor> saved = all_of(trainer);
        const std::int64_t updates = trainer.updates();
        const double rate = trainer.rates().lr();
        const Evaluation evaluated = trainer.evaluate().value();
        for (int step = 0; step < 3; ++step)
            EXPECT_FALSE(trainer.step().rolls_back) << step;
        trainer.set_lr(5e-4);
        spoil();
        const StepReport report = trainer.step();
        EXPECT_TRUE(report.rolls_back) << report.loss;
        EXPECT_TRUE(report.skipped);
        EXPECT_THAT(texts_of(report),
                    says("weights and optimizer are those of {} again; the batches from there to step {} are left out",
                         "checkpoint_10", 14));
        for (const auto& [name, tensor] : all_of(trainer))
            EXPECT_TRUE(tensor.equal(saved.at(name))) << name << " on rank " << mesh.rank();
        EXPECT_EQ(trainer.updates(), updates);
        EXPECT_EQ(trainer.position().step, 14);
        EXPECT_EQ(trainer.position().samples, 14 * trainer.position().samples_per_step);
        EXPECT_DOUBLE_EQ(trainer.rates().lr(), rate / 2) << "a value that the user set must be preserved";
        const Evaluation again = trainer.evaluate().value();
        EXPECT_EQ(again.loss, evaluated.loss);
        EXPECT_EQ(again.average_loss, evaluated.average_loss);
        for (int step = 0; step < 3; ++step) {
            const StepReport next = trainer.step();
            EXPECT_FALSE(next.skipped) << texts_of(next);
            EXPECT_EQ(next.step, 15 + step);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Layouts, RollBack,
                         ::testing::Values(RollBackCase{"spike", 1, 1, 0, Precision::no, true},
                                           RollBackCase{"not_finite_bf16", 1, 1, 0, Precision::bf16, false},
                                           RollBackCase{"two_ranks", 2, 1, 0, Precision::no, true},
                                           RollBackCase{"zero_2", 2, 1, 2, Precision::bf16, false},
                                           RollBackCase{"stages", 2, 2, 0, Precision::no, false}),
                         [](const auto& place) { return std::string(place.param.name); });

TEST_F(RollBack, RanksThatDoNotSeeTheDiskOfRank0GoBackToo) {
    namespace fs = std::filesystem;
    struct Kind {
        std::int64_t zero_stage, local_sgd_steps;
    };
    for (const Kind kind : {Kind{0, 0}, Kind{2, 0}, Kind{0, 3}}) {
        config::Recipe recipe = recipe_;
        recipe.parallel.zero_stage = kind.zero_stage;
        recipe.training.local_sgd_steps = kind.local_sgd_steps;
        if (kind.local_sgd_steps > 0)
            recipe.training.ema_decay = 0;  // refused there
        const std::string name = std::to_string(kind.zero_stage) + "_" + std::to_string(kind.local_sgd_steps);
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(2), std::move(world));
            const fs::path disk = folder_.path() / ("disk_" + name + "_" + std::to_string(mesh.rank()));
            int reached = 0;
            TrainerOptions options{.one_disk = false};
            options.reach = [&](const fs::path& folder, const auto& load) {
                ++reached;
                EXPECT_NE(folder.string().find("_0/checkpoints/checkpoint_5"), std::string::npos) << folder;
                EXPECT_FALSE(mesh.rank() == 1 && fs::exists(disk / "checkpoints" / "checkpoint_5"));
                fs::create_directories(disk);
                fs::copy(folder, disk / "reached", fs::copy_options::recursive);
                load(disk / "reached");
            };
            Trainer trainer(recipe, mesh, at::kCPU, std::move(options));
            trainer.start();
            for (int step = 0; step < 5; ++step)
                trainer.step();
            trainer.save(disk / "checkpoints");
            const std::map<std::string, at::Tensor> saved = all_of(trainer);
            for (int step = 0; step < 2; ++step)
                trainer.step();
            {
                at::NoGradGuard no_grad;
                trainer.arena().values().mul_(std::numeric_limits<double>::infinity());
                trainer.arena().refresh_compute();
            }
            const StepReport report = trainer.step();
            EXPECT_TRUE(report.rolls_back);
            EXPECT_EQ(reached, 1);
            EXPECT_THAT(
                texts_of(report),
                says("weights and optimizer are those of {} again; the batches from there to step {} are left out",
                     "checkpoint_5", _));
            for (const auto& [tensor_name, tensor] : all_of(trainer))
                EXPECT_TRUE(tensor.equal(saved.at(tensor_name)))
                    << tensor_name << " on rank " << mesh.rank() << ", " << name;
            EXPECT_FALSE(trainer.step().skipped);
        });
    }
}

TEST_F(RollBack, WithoutACheckpointTheStepAloneIsLeftOut) {
    parallel::Mesh mesh(parallel::replicas(1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe_, mesh, at::kCPU);
    trainer.start();
    trainer.step();
    at::Tensor values = trainer.arena().values();
    values[0] = std::numeric_limits<float>::quiet_NaN();
    const StepReport report = trainer.step();
    EXPECT_TRUE(report.skipped);
    EXPECT_THAT(texts_of(report), says("step {} is left out; there is no good checkpoint yet to go back to", 2));
    EXPECT_EQ(trainer.updates(), 1);
}

TEST_F(RollBack, NeedsCheckpoints) {
    recipe_.checkpoint.every = 0;
    const std::vector<Problem> problems = config::check_recipe(recipe_);
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_THAT(problems[0].message,
                says("rollback needs checkpoints to go back to: set checkpoint.every, or take skip"));
}

}  // namespace
}  // namespace trainyard::train
