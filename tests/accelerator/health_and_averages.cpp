// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the features that an Accelerator shares with runs of recipes: averages and health monitoring as prepared
// objects, rollback, diverging ranks, and saving and resuming the engine's own models.
#include <cmath>
#include <fstream>
#include <limits>

#include <ATen/ops/allclose.h>
#include <ATen/ops/div.h>
#include <ATen/ops/equal.h>
#include <torch/optim/adamw.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/flat_model.h"
#include "train/flat_optimizer.h"
#include "train/rate_schedule.h"
#include "train/token_loader.h"

namespace trainyard {
namespace {

using test::on_ranks;
using test::says;
using testing::_;
using ::testing::HasSubstr;
using testing::StartsWith;

AcceleratorOptions with_checkpoints(const std::filesystem::path& folder) {
    AcceleratorOptions options;
    options.project.project_dir = folder;
    options.project.automatic_checkpoint_naming = true;
    return options;
}

/// A net whose gradients can be spoiled.
struct Watched {
    explicit Watched(std::shared_ptr<parallel::ProcessState> process, AcceleratorOptions options = {})
        : accelerator(std::move(options), std::move(process)), net(std::make_shared<test::Net>()) {
        model = accelerator.prepare(net);
        optimizer = accelerator.prepare(
            std::make_unique<torch::optim::AdamW>(net->parameters(), torch::optim::AdamWOptions(0.01)));
        loader = accelerator.prepare(test::loader_over(test::samples(64 * accelerator.num_processes()), 4));
    }
    /// One update; `factor` multiplies the loss.
    train::HealthVerdict step(const Tree& batch, accelerator::PreparedHealth& health, double factor = 1) {
        auto scope = accelerator.accumulate(model);
        const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch).mul(factor);
        accelerator.backward(loss);
        const double norm = accelerator.clip_grad_norm(model, 1.0).item<double>();
        const double mean = accelerator.reduce(loss.detach(), parallel::Reduction::mean).item<double>();
        train::HealthVerdict verdict = health.judge(mean, norm);
        optimizer->step();
        optimizer->zero_grad();
        return verdict;
    }
    Accelerator accelerator;
    std::shared_ptr<test::Net> net;
    accelerator::Prepared<test::Net> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<data::Loader> loader;
};

TEST(PreparedHealth, SkipsWhatIsNotFiniteAndAveragesOnlyWhatWasTaken) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Watched training(process);
        auto health = training.accelerator.prepare_health();
        auto average = training.accelerator.prepare_average(training.model, train::exponential(0.5));
        train::WeightAverage expected(training.model.model().parameters(), train::exponential(0.5));
        int number = 0;
        for (Tree& batch : *training.loader) {
            const at::Tensor before = training.net->flat();
            // One rank alone has the bad number; both leave the step out.
            const bool bad = number == 5;
            const train::HealthVerdict verdict =
                training.step(batch, *health, bad && process->rank() == 1 ? std::nan("") : 1);
            EXPECT_EQ(verdict.action, bad ? HealthAction::skip : HealthAction::ignore) << number;
            EXPECT_EQ(at::equal(before, training.net->flat()), bad) << number;
            EXPECT_EQ(training.optimizer->step_was_skipped(), bad) << number;
            if (!bad)
                expected.update();
            ++number;
        }
        EXPECT_EQ(health->monitor().skipped_steps(), 1);
        EXPECT_EQ(average->averaged(), number - 1);
        for (std::size_t i = 0; i < average->averages().size(); ++i)
            EXPECT_TRUE(at::equal(average->averages()[i].second, expected.averages()[i].second)) << i;
        const at::Tensor plain = training.net->flat();
        {
            auto swapped = average->swap_in();
            EXPECT_TRUE(at::equal(training.net->first.detach(), expected.averages()[0].second));
        }
        EXPECT_TRUE(at::equal(training.net->flat(), plain));
        EXPECT_FALSE(training.accelerator.find_divergence(training.model).has_value());
        if (process->rank() == 1) {
            c10::NoGradGuard no_grad;
            training.net->second.view(-1)[2].add_(1e-7);
        }
        const auto divergence = training.accelerator.find_divergence(training.model);
        ASSERT_TRUE(divergence.has_value());
        EXPECT_EQ(divergence->parameter, "second");
    });
}

TEST(PreparedHealth, RollsBackToTheLastGoodCheckpointWhileTheDataGoesOn) {
    const test::TemporaryFolder folder;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        Watched training(process, with_checkpoints(folder.path()));
        auto health = training.accelerator.prepare_health({.on_non_finite = HealthAction::rollback});
        auto average = training.accelerator.prepare_average(training.model, train::exponential(0.5));
        at::Tensor saved;
        Tree optimizer_state, average_state;
        int number = 0;
        for (Tree& batch : *training.loader) {
            const bool bad = number == 9;
            const train::HealthVerdict verdict = training.step(batch, *health, bad ? INFINITY : 1);
            EXPECT_EQ(verdict.action, bad ? HealthAction::rollback : HealthAction::ignore);
            if (number == 6) {
                training.accelerator.save_state();
                saved = training.net->flat();
                auto copy = [](const Tree& state) {
                    return state.map_tensors([](const at::Tensor& tensor) { return tensor.detach().clone(); });
                };
                optimizer_state = copy(training.optimizer->state_dict());
                average_state = copy(average->state_dict());
            }
            if (bad) {
                EXPECT_THAT(verdict.problems.back(), HasSubstr("those of checkpoint_0 again"));
                EXPECT_TRUE(at::equal(training.net->flat(), saved));
                EXPECT_TRUE(training.optimizer->state_dict() == optimizer_state);
                EXPECT_TRUE(average->state_dict() == average_state);
            }
            ++number;
        }
        EXPECT_EQ(number, 16) << "every batch was met once";
        EXPECT_EQ(health->monitor().non_finite_steps(), 1);
        EXPECT_EQ(training.accelerator.save_iteration(), 1);
        EXPECT_FALSE(at::equal(training.net->flat(), saved));
    });
}

TEST(PreparedHealth, ASpikeIsJudgedAsInARecipe) {
    const test::TemporaryFolder folder;
    Watched training(test::alone(), with_checkpoints(folder.path()));
    train::HealthOptions options{.on_spike = HealthAction::rollback};
    options.spike.window = options.spike.warm_up = 6;
    auto health = training.accelerator.prepare_health(options);
    int number = 0;
    at::Tensor saved;
    for (Tree& batch : *training.loader) {
        if (number == 8) {
            training.accelerator.save_state();
            saved = training.net->flat();
        }
        auto scope = training.accelerator.accumulate(training.model);
        training.accelerator.backward(test::loss_of(training.model(batch.at("x").as_tensor()), batch));
        const train::HealthVerdict verdict = health->judge(number == 12 ? 90 : 3 + std::sin(number) / 10, 1);
        EXPECT_EQ(verdict.action == HealthAction::rollback, number == 12) << number;
        EXPECT_EQ(saved.defined() && at::equal(saved, training.net->flat()),
                  number == 8 || number == 12 || number == 13)
            << number << ": equal to the saved weights after saving and after the rollback";
        training.optimizer->step();
        training.optimizer->zero_grad();
        ++number;
    }
    EXPECT_GE(number, 13);
}

TEST(PreparedHealth, RollBackNeedsNamedCheckpoints) {
    Accelerator accelerator({}, test::alone());
    try {
        accelerator.prepare_health({.on_spike = HealthAction::rollback});
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("automatic_checkpoint_naming"));
    }
    EXPECT_NO_THROW(accelerator.prepare_health());
}

// --- the engine's own models
// ---------------------------------------------------------------------------------------------------------------------

config::Recipe flat_recipe(const std::filesystem::path& folder, Precision precision) {
    std::ofstream text(folder / "text.txt");
    for (int i = 0; i < 4000; ++i)
        text << i * 7919 % 4000 << " is a number\n";
    config::Recipe recipe;
    recipe.data.paths = {(folder / "text.txt").string()};
    recipe.data.sequence_length = recipe.model.n_positions = 16;
    recipe.model.n_embd = 16;
    recipe.model.n_layer = recipe.model.n_head = 2;
    recipe.training.steps = 12;
    recipe.training.batch_size = 2;
    recipe.training.gradient_accumulation_steps = 2;
    recipe.training.mixed_precision = precision;
    recipe.training.loss_scale = 1024;
    recipe.schedule.warmup_steps = 3;
    recipe.parallel.bucket_cap_mb = 0.01;
    return recipe;
}

struct FlatTraining {
    FlatTraining(const config::Recipe& recipe, std::shared_ptr<parallel::ProcessState> process)
        : accelerator({.mixed_precision = recipe.training.mixed_precision,
                       .gradient_accumulation_steps = recipe.training.gradient_accumulation_steps},
                      std::move(process)),
          net(std::make_shared<train::FlatModel>(recipe, accelerator.mesh(), accelerator.device())) {
        net->initialise();
        model = accelerator.prepare(net);
        optimizer = accelerator.prepare(std::make_unique<train::FlatOptimizer>(*net, recipe.optimizer));
        schedule = accelerator.prepare(train::make_schedule(recipe, *optimizer));
        data = std::make_shared<train::DataLoader>(recipe, accelerator.mesh().data(), accelerator.device());
        loader = accelerator.prepare(std::make_unique<train::TokenLoader>(data, recipe.training));
        average = accelerator.prepare_average(model, train::exponential(0.5));
    }
    /// Trains up to step `until`, and calls `after(step)` after each step.
    void run(std::int64_t until, double limit = 0.5, const std::function<void(std::int64_t)>& after = {}) {
        for (Tree& batch : *loader) {
            auto scope = accelerator.accumulate(model);
            accelerator.backward(model(batch), {.denominator = static_cast<double>(batch.at("targets").as_integer()),
                                                .expected = static_cast<double>(data->targets_per_step())});
            if (!accelerator.sync_gradients())
                continue;
            accelerator.clip_grad_norm(model, limit);
            optimizer->step();
            schedule->step();
            optimizer->zero_grad();
            losses.push_back(accelerator.mean_loss());
            const std::int64_t step = batch.at("step").as_integer() + 1;
            if (after)
                after(step);
            if (step == until)
                return;
        }
    }
    Accelerator accelerator;
    std::shared_ptr<train::FlatModel> net;
    accelerator::Prepared<train::FlatModel> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<accelerator::Scheduler> schedule;
    std::shared_ptr<train::DataLoader> data;
    std::shared_ptr<data::Loader> loader;
    std::shared_ptr<accelerator::PreparedAverage> average;
    std::vector<double> losses;
};

TEST(FlatModels, GoOnFromSaveStateToTheLastBit) {
    for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
        for (const auto& [ranks, stage] : {std::pair(1, 0), {2, 0}, {2, 2}, {2, 3}}) {
            SCOPED_TRACE(choice_name(precision) + std::string(" on ") + std::to_string(ranks) + " ranks, stage " +
                         std::to_string(stage));
            const test::TemporaryFolder folder;
            config::Recipe recipe = flat_recipe(folder.path(), precision);
            recipe.parallel.zero_stage = stage;
            on_ranks(ranks, [&, divided = stage == 3](std::shared_ptr<parallel::ProcessState> process) {
                FlatTraining whole(recipe, process);
                whole.run(12, 0.5, [&](std::int64_t step) {
                    if (step == 6)
                        whole.accelerator.save_state(folder.path() / "state");
                });
                FlatTraining second(recipe, process);
                second.accelerator.load_state(folder.path() / "state");
                second.run(12);
                ASSERT_EQ(second.losses.size(), 6u);
                for (std::size_t i = 0; i < 6; ++i)
                    EXPECT_EQ(second.losses[i], whole.losses[6 + i]) << i;
                const NamedTensors wanted = whole.accelerator.get_state_dict(whole.model),
                                   have = second.accelerator.get_state_dict(second.model);
                EXPECT_EQ(wanted.empty(), divided && second.accelerator.process_index() != 0);
                ASSERT_EQ(have.size(), wanted.size());
                for (std::size_t i = 0; i < wanted.size(); ++i)
                    EXPECT_TRUE(at::equal(have[i].second, wanted[i].second)) << wanted[i].first;
                EXPECT_TRUE(second.average->state_dict() == whole.average->state_dict());
                if (divided)  // gathered when it is used
                    return;
                EXPECT_TRUE(at::equal(second.net->arena().compute(), whole.net->arena().compute()));
                // After swap_in() the kernels multiply with the averaged weights.
                auto swapped = second.average->swap_in();
                EXPECT_TRUE(at::equal(second.net->arena().compute(),
                                      second.net->arena().values().to(second.net->arena().compute().scalar_type())));
            });
        }
}

TEST(FlatModels, RefuseWhatDoesNotFit) {
    const test::TemporaryFolder folder;
    const config::Recipe recipe = flat_recipe(folder.path(), Precision::bf16);
    Accelerator accelerator({.mixed_precision = Precision::no}, test::alone());
    auto net = std::make_shared<train::FlatModel>(recipe, accelerator.mesh(), accelerator.device());
    try {
        accelerator.prepare(net);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("the model computes in {} (its recipe's training.mixed_precision), the "
                                       "accelerator in {}: give both the same mixed_precision",
                                       StartsWith("bf16"), _));
    }
    FlatTraining training(flat_recipe(folder.path(), Precision::no), test::alone());
    training.accelerator.set_gradient_accumulation_steps(1);
    int batches = 0;
    for (Tree& batch : *training.loader) {
        training.accelerator.backward(training.model(batch));
        EXPECT_THROW(training.accelerator.backward(training.model(batch)), UserError) << "a second last backward";
        ++batches;
        break;
    }
    EXPECT_EQ(batches, 1);
}

TEST(FlatModels, RefuseToCaptureTheLoopOfAProgram) {
    const test::TemporaryFolder folder;
    config::Recipe captured = flat_recipe(folder.path(), Precision::no);
    captured.training.cuda_graph = true;
    FlatTraining loop(captured, test::alone());
    for (Tree& batch : *loop.loader) {
        try {
            loop.model(batch);
            ADD_FAILURE() << "a program's loop is not captured";
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), says("training.cuda_graph: the loop of a program is not captured, because the "
                                           "host may read every value in it: set it to no, or train the recipe with "
                                           "trainyard launch RECIPE.yaml"));
        }
        break;
    }
}

/// A mean over micro-batches and ranks, without denominators, is the same update where all targets count.
TEST(FlatModels, PlainMeansAreMeans) {
    const test::TemporaryFolder folder;
    const config::Recipe recipe = flat_recipe(folder.path(), Precision::no);
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        FlatTraining counted(recipe, process), plain(recipe, process);
        counted.run(3, 0);
        for (Tree& batch : *plain.loader) {
            auto scope = plain.accelerator.accumulate(plain.model);
            plain.accelerator.backward(plain.model(batch) / batch.at("targets").as_integer());
            plain.optimizer->step();
            plain.schedule->step();
            plain.optimizer->zero_grad();
            if (plain.accelerator.sync_gradients() && batch.at("step").as_integer() == 2)
                break;
        }
        const NamedTensors wanted = counted.net->named_parameters(), have = plain.net->named_parameters();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            EXPECT_TRUE(at::allclose(have[i].second, wanted[i].second, 1e-4, 1e-6)) << wanted[i].first;
    });
}

}  // namespace
}  // namespace trainyard
