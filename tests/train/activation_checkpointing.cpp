// SPDX-License-Identifier: GPL-3.0-or-later
// Activation checkpointing of a recipe's blocks: the same curve and weights, bit for bit, on one rank and on several; less memory.

#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "support/allocation_peak.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

struct CheckpointedCurve {
    std::vector<double> losses, norms;
    at::Tensor weights;
    std::uint64_t peak = 0;
};

class ActivationCheckpointingOfRecipes : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    config::Recipe recipe_;

    void SetUp() override {
        std::mt19937 random(9);
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 20000; ++i)
            text << static_cast<char>('a' + random() % 12);
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 32;
        recipe_.model.n_embd = 32;
        recipe_.model.n_layer = 6;
        recipe_.model.n_head = 4;
        recipe_.model.resid_pdrop = recipe_.model.embd_pdrop = recipe_.model.attn_pdrop = 0.1;
        recipe_.training.steps = 5;
        recipe_.training.batch_size = 4;
        recipe_.optimizer.lr = 3e-3;
    }

    static CheckpointedCurve train(config::Recipe recipe, int ranks, config::Recomputation recomputes) {
        recipe.training.activation_checkpointing = recomputes;
        CheckpointedCurve curve;
        test::AllocationPeak peak;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < recipe.training.steps) {
                StepReport report = trainer.step();
                if (mesh.rank() > 0)
                    continue;
                curve.losses.push_back(report.loss);
                curve.norms.push_back(report.gradient_norm);
            }
            if (mesh.rank() == 0)
                curve.weights = trainer.arena().values().clone();
        };
        if (ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(ranks, body);
        curve.peak = peak.bytes();
        return curve;
    }
};

TEST_F(ActivationCheckpointingOfRecipes, EveryBitOfTheCurveAndTheWeightsStays) {
    for (const Precision precision : {Precision::no, Precision::bf16})
        for (int ranks : {1, 2})
            for (std::int64_t accumulation : {1, 2}) {
                recipe_.training.mixed_precision = precision;
                recipe_.training.gradient_accumulation_steps = accumulation;
                const CheckpointedCurve plain = train(recipe_, ranks, config::Recomputation::no);
                EXPECT_LT(plain.losses.back(), plain.losses.front());
                for (const auto recomputes : {config::Recomputation::selective, config::Recomputation::full}) {
                    SCOPED_TRACE(
                        fmt::format("{}, {} ranks, accumulation {}, {}", precision, ranks, accumulation, recomputes));
                    const CheckpointedCurve less = train(recipe_, ranks, recomputes);
                    EXPECT_EQ(plain.losses, less.losses);
                    EXPECT_EQ(plain.norms, less.norms);
                    EXPECT_TRUE(plain.weights.equal(less.weights));
                }
            }
}

TEST_F(ActivationCheckpointingOfRecipes, MemoryFallsOnSeveralRanks) {
    recipe_.training.steps = 2;
    recipe_.training.batch_size = 48;  // activations are most of the memory
    for (int ranks : {1, 2}) {
        const std::uint64_t plain = train(recipe_, ranks, config::Recomputation::no).peak,
                            some = train(recipe_, ranks, config::Recomputation::selective).peak,
                            least = train(recipe_, ranks, config::Recomputation::full).peak;
        EXPECT_LT(least, plain / 2) << ranks << " ranks";
        EXPECT_LT(some, 0.85 * static_cast<double>(plain)) << ranks << " ranks";
        EXPECT_LT(least, some) << ranks << " ranks";
    }
}

}  // namespace
}  // namespace trainyard::train
