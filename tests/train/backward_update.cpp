// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of updates during the backward pass: LOMO gives the weights of SGD, AdaLomo learns, both hold the gradients of
// one unit at a time and resume from a checkpoint, and settings that they do not support are refused before the start.

#include "train/loop/backward_update.h"

#include <cmath>
#include <fstream>
#include <random>

#include <ATen/ops/equal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using testing::HasSubstr;

class BackwardUpdates : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;

    void SetUp() override {
        std::mt19937 random(5);
        std::ofstream file(folder_.path() / "text.txt");
        for (int i = 0; i < 4000; ++i)
            file << "backward forward " << random() % 10;
    }

    config::Recipe recipe(const std::string& optimizer, double lr) const {
        config::Recipe recipe;
        recipe.data.paths = {(folder_.path() / "text.txt").string()};
        recipe.data.sequence_length = recipe.model.n_positions = 16;
        recipe.model.n_embd = 32;
        recipe.model.n_layer = 3;
        recipe.model.n_head = 2;
        recipe.training.steps = 20;
        recipe.training.batch_size = 8;
        recipe.training.max_grad_norm = 0;
        recipe.optimizer.name = optimizer;
        config::follow_optimizer(recipe.optimizer, "adamw", {});
        recipe.optimizer.lr = lr;
        return recipe;
    }

    struct Trained {
        NamedTensors weights;
        double first_loss = 0, last_loss = 0, norm = 0;
        std::int64_t all_gradients = 0, most_gradients = 0;
    };
    static Trained train(const config::Recipe& recipe, std::int64_t steps, const std::filesystem::path& to = {}) {
        Trained result;
        test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(1), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                if (trainer.position().step == 1)
                    result.first_loss = report.loss;
                result.last_loss = report.loss;
                result.norm = report.gradient_norm;
            }
            for (const auto& [name, weight] : trainer.weights())
                result.weights.emplace_back(name, weight.clone());
            result.all_gradients = 4 * trainer.arena().trainable_elements();
            const parallel::GradientBuffers* buffers = trainer.arena().gradient_buffers();
            result.most_gradients = buffers != nullptr ? buffers->most_bytes() : result.all_gradients;
            if (!to.empty())
                trainer.save(to);
        });
        return result;
    }
};

TEST_F(BackwardUpdates, LomoGivesTheWeightsOfSgd) {
    for (const Precision precision : {Precision::no, Precision::bf16}) {
        config::Recipe lomo = recipe("lomo", 0.1), sgd = recipe("sgd", 0.1);
        lomo.training.mixed_precision = sgd.training.mixed_precision = precision;
        lomo.training.activation_checkpointing = sgd.training.activation_checkpointing = config::Recomputation::full;
        const Trained ours = train(lomo, 6), theirs = train(sgd, 6);
        ASSERT_EQ(ours.weights.size(), theirs.weights.size());
        for (std::size_t i = 0; i < ours.weights.size(); ++i)
            EXPECT_LT(ours.weights[i].second.sub(theirs.weights[i].second).abs().max().item<double>(), 1e-6)
                << ours.weights[i].first;
        EXPECT_NEAR(ours.norm, theirs.norm, 1e-5 * theirs.norm);
        EXPECT_LT(ours.last_loss, ours.first_loss);
        EXPECT_LT(ours.most_gradients, ours.all_gradients);
    }
}

TEST_F(BackwardUpdates, AdaLomoLearnsWithoutGradientsOfTheWholeModel) {
    const Trained trained = train(recipe("adalomo", 0.02), 20);
    EXPECT_LT(trained.last_loss, trained.first_loss - 0.5);
    EXPECT_LT(trained.most_gradients, trained.all_gradients / 2);
}

TEST_F(BackwardUpdates, GoOnFromACheckpointBitByBit) {
    for (const char* name : {"lomo", "adalomo"}) {
        const config::Recipe one = recipe(name, 0.02);
        const std::filesystem::path saved = folder_.path() / name;
        train(one, 3, saved);
        config::Recipe rest = one;
        rest.checkpoint.resume_from = saved.string();
        const Trained resumed = train(rest, 6), whole = train(one, 6);
        for (std::size_t i = 0; i < whole.weights.size(); ++i)
            EXPECT_TRUE(at::equal(resumed.weights[i].second, whole.weights[i].second))
                << name << ": " << whole.weights[i].first;
    }
}

TEST_F(BackwardUpdates, WhatDoesNotGoWithThemIsSaid) {
    const auto problems = [&](auto change) {
        config::Recipe one = recipe("lomo", 0.1);
        change(one);
        std::string all;
        for (const Problem& problem : config::check_recipe(one))
            all += problem.text().text() + "\n";
        return all;
    };
    EXPECT_EQ(problems([](config::Recipe&) {}), "");
    EXPECT_THAT(problems([](config::Recipe& one) { one.training.max_grad_norm = 1; }),
                HasSubstr("training.max_grad_norm"));
    EXPECT_THAT(problems([](config::Recipe& one) { one.training.gradient_accumulation_steps = 2; }),
                HasSubstr("training.gradient_accumulation_steps"));
    EXPECT_THAT(problems([](config::Recipe& one) { one.training.mixed_precision = Precision::fp16; }),
                HasSubstr("training.mixed_precision"));
    EXPECT_THAT(problems([](config::Recipe& one) { one.health.on_spike = HealthAction::skip; }),
                HasSubstr("health.on_spike"));
    EXPECT_THROW((void)config::on_ranks(recipe("adalomo", 0.1), 2), InvalidInput);
    config::Recipe many = recipe("lomo", 0.1);
    many.training.global_batch_size = 32;
    EXPECT_THROW((void)config::on_ranks(many, 1), InvalidInput);
}

}  // namespace
}  // namespace trainyard::train
