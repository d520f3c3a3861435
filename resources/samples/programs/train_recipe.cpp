// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a recipe in a custom loop: with the settings, data, sample order, initial weights, clipping, schedule and
// evaluation of `trainyard launch RECIPE.yaml`, and bitwise the same losses.
//
//     train_recipe ../sample.yaml training.steps=100
//     trainyard launch --no_python --cpu --num_processes 2 train_recipe ../sample.yaml
//
// Prints a line per step: step, mean loss over the targets of all ranks, gradient norm, learning rate, seconds since
// the start.

#include <exception>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>

#include <fmt/format.h>
#include <trainyard/accelerator.h>

#include "base/clock.h"
#include "train/flat_model.h"
#include "train/flat_optimizer.h"
#include "train/health_options.h"
#include "train/rate_schedule.h"
#include "train/token_loader.h"

namespace config = trainyard::config;
namespace train = trainyard::train;

/// The mean loss over all held-out targets of all ranks.
double evaluate(trainyard::Accelerator& accelerator, const trainyard::accelerator::Prepared<train::FlatModel>& model,
                trainyard::data::Loader& held_out) {
    at::NoGradGuard no_grad;
    model->eval();
    double loss = 0, targets = 0;
    for (trainyard::Tree& batch : held_out) {
        loss += model(batch).item<double>();
        targets += static_cast<double>(batch.at("targets").as_integer());
    }
    model->train();
    const at::Tensor sums = accelerator.reduce(at::tensor({loss, targets}, at::kDouble));
    return sums[0].item<double>() / sums[1].item<double>();
}

void train_recipe(config::Recipe recipe) {
    const double begin = trainyard::monotonic_seconds();
    trainyard::Accelerator accelerator({.mixed_precision = recipe.training.mixed_precision});
    recipe = config::on_ranks(recipe, accelerator.num_processes());
    accelerator.set_gradient_accumulation_steps(recipe.training.gradient_accumulation_steps);

    auto net = std::make_shared<train::FlatModel>(recipe, accelerator.mesh(), accelerator.device());
    accelerator.print(net->initialise());
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(std::make_unique<train::FlatOptimizer>(net->arena(), recipe.optimizer));
    auto schedule = accelerator.prepare(train::make_schedule(recipe, *optimizer));
    auto data = std::make_shared<train::DataLoader>(recipe, accelerator.mesh().data(), accelerator.device());
    auto loader = accelerator.prepare(std::make_unique<train::TokenLoader>(data, recipe.training));
    auto held_out = accelerator.prepare(std::make_unique<train::HeldOutLoader>(data));
    auto health = accelerator.prepare_health(train::health_options(recipe.health));

    const auto expected = static_cast<double>(data->targets_per_step());
    for (trainyard::Tree& batch : *loader) {
        auto scope = accelerator.accumulate(model);
        // The loss is a sum over this batch's targets; the update's gradients are those of the mean over all targets of
        // all ranks.
        const at::Tensor loss = model(batch);
        accelerator.backward(
            loss, {.denominator = static_cast<double>(batch.at("targets").as_integer()), .expected = expected});
        if (!accelerator.sync_gradients())
            continue;
        const double norm = accelerator.clip_grad_norm(model, recipe.training.max_grad_norm).item<double>();
        const double rate = schedule->last_lr()[0];
        const train::HealthVerdict verdict = health->judge(accelerator.mean_loss(), norm);
        for (const trainyard::Message& problem : verdict.problems)
            accelerator.print(problem);
        optimizer->step();  // does nothing if the verdict is to skip the update
        schedule->step();
        const std::int64_t step = batch.at("step").as_integer() + 1;
        accelerator.print(fmt::format("step {} loss {:.17g} norm {:.9g} rate {:.9g} seconds {:.6f}", step,
                                      accelerator.mean_loss(), norm, rate, trainyard::monotonic_seconds() - begin));
        const std::int64_t every = recipe.training.evaluate_every;
        if (step == recipe.training.steps || (every > 0 && step % every == 0))
            accelerator.print(fmt::format("validation loss {:.17g}", evaluate(accelerator, model, *held_out)));
    }
}

int main(int argc, char** argv) {
    try {
        if (argc < 2)
            throw trainyard::UserError("usage: train_recipe RECIPE.yaml [key=value ...]");
        config::Recipe recipe = config::load_recipe(argv[1]);
        config::apply_overrides(recipe, std::vector<std::string>(argv + 2, argv + argc));
        train_recipe(recipe);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
