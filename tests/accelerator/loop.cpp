// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of training loops with the Accelerator: equal curves on all layouts, mixed precision, gradient accumulation,
// and data transfers between ranks.
#include <cmath>
#include <cstdlib>

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>

#include "accelerator/plain_sgd.h"
#include "accelerator/training.h"
#include "base/error.h"

namespace trainyard {
namespace {

using test::alone;
using test::loss_of;
using test::Net;
using test::on_ranks;
using test::samples;

struct Setup {
    std::int64_t batch_size = 8;
    std::int64_t accumulation = 1;
    Precision precision = Precision::no;
    bool split = false;
    bool each = false;
    double clip = 0;
    std::int64_t count = 64;
    bool shuffle = false;
};

struct Outcome {
    at::Tensor weights;
    std::vector<double> norms;
};

Outcome train(std::shared_ptr<parallel::ProcessState> process, const Setup& setup) {
    AcceleratorOptions options;
    options.mixed_precision = setup.precision;
    options.grad_scaler.init_scale = 256;  // so small that no step is skipped
    options.gradient_accumulation_steps = setup.accumulation;
    options.accumulation.sync_each_batch = setup.each;
    options.loaders.split_batches = setup.split;
    options.loaders.use_seedable_sampler = true;
    options.loaders.data_seed = 7;
    Accelerator accelerator(options, std::move(process));
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(
        std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.02).momentum(0.5)));
    auto loader = accelerator.prepare(test::loader_over(samples(setup.count), setup.batch_size, setup.shuffle));
    Outcome outcome;
    for (int epoch = 0; epoch < 2; ++epoch)
        for (Tree& batch : *loader) {
            auto scope = accelerator.accumulate(model);
            accelerator.backward(loss_of(model(batch.at("x").as_tensor()), batch));
            if (accelerator.sync_gradients() && setup.clip > 0)
                outcome.norms.push_back(accelerator.clip_grad_norm(model, setup.clip).item<double>());
            optimizer->step();
            optimizer->zero_grad();
        }
    outcome.weights = net->flat();
    return outcome;
}

void expect_close(const at::Tensor& a, const at::Tensor& b, double tolerance = 1e-6) {
    EXPECT_TRUE(at::allclose(a, b, tolerance, tolerance)) << (a - b).abs().max().item<double>();
}

Outcome on_two(const Setup& setup) {
    std::vector<Outcome> each(2);
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const auto rank = static_cast<std::size_t>(process->rank());
        each[rank] = train(std::move(process), setup);
    });
    EXPECT_TRUE(at::equal(each[0].weights, each[1].weights));
    EXPECT_EQ(each[0].norms, each[1].norms);
    return each[0];
}

TEST(Loop, TheSameCurveOnEveryLayout) {
    for (const bool shuffle : {false, true}) {
        const Outcome one = train(alone(), {.batch_size = 8, .shuffle = shuffle});
        const double moved = (one.weights - Net().flat()).abs().max().item<double>();
        EXPECT_GT(moved, 0.02);
        EXPECT_LT(moved, 2.0);
        expect_close(train(alone(), {.batch_size = 4, .accumulation = 2, .shuffle = shuffle}).weights, one.weights);
        expect_close(train(alone(), {.batch_size = 2, .accumulation = 4, .shuffle = shuffle}).weights, one.weights);
        expect_close(on_two({.batch_size = 4, .shuffle = shuffle}).weights, one.weights);
        expect_close(on_two({.batch_size = 2, .accumulation = 2, .shuffle = shuffle}).weights, one.weights);
        expect_close(on_two({.batch_size = 2, .accumulation = 2, .each = true, .shuffle = shuffle}).weights,
                     one.weights);
        expect_close(on_two({.batch_size = 8, .split = true, .shuffle = shuffle}).weights, one.weights);
    }
    // 56 samples in batches of 8: the last accumulation group has only three of four batches, but is averaged, too.
    expect_close(on_two({.batch_size = 4, .accumulation = 4, .count = 56}).weights,
                 train(alone(), {.batch_size = 8, .accumulation = 4, .count = 56}).weights);
}

TEST(Loop, ClippingIsThatOfOneRank) {
    const Outcome one = train(alone(), {.batch_size = 8, .clip = 0.2});
    const Outcome two = on_two({.batch_size = 2, .accumulation = 2, .clip = 0.2});
    expect_close(two.weights, one.weights);
    ASSERT_EQ(one.norms.size(), two.norms.size());
    for (std::size_t i = 0; i < one.norms.size(); ++i)
        EXPECT_NEAR(one.norms[i], two.norms[i], 1e-5);
    EXPECT_GT(one.norms.at(0), 0.2);
}

TEST(Loop, LowPrecisionStaysClose) {
    const Outcome full = train(alone(), {});
    for (const Precision precision : {Precision::bf16, Precision::fp16}) {
        expect_close(train(alone(), {.precision = precision}).weights, full.weights, 0.03);
        expect_close(on_two({.batch_size = 4, .precision = precision}).weights, full.weights, 0.03);
        Accelerator accelerator({.mixed_precision = precision}, alone());
        auto net = std::make_shared<Net>();
        auto model = accelerator.prepare(net);
        EXPECT_EQ(model(at::ones({2, 4})).scalar_type(), at::kFloat);
        EXPECT_EQ(net->seen, precision == Precision::bf16 ? at::kBFloat16 : at::kHalf);
        EXPECT_EQ(accelerator.scaler() != nullptr, precision == Precision::fp16);
        {
            const auto scope = accelerator.autocast();
            net->forward(at::ones({2, 4}));
            EXPECT_NE(net->seen, at::kFloat);
            const auto region = accelerator.autocast({.enabled = false});
            net->forward(at::ones({2, 4}));
            EXPECT_EQ(net->seen, at::kFloat);
        }
        net->forward(at::ones({2, 4}));
        EXPECT_EQ(net->seen, at::kFloat);
    }
}

TEST(Loop, PreparingKeepsOrderAndHappensOnce) {
    Accelerator accelerator({}, alone());
    auto net = std::make_shared<Net>();
    auto [loader, model, optimizer] =
        accelerator.prepare(test::loader_over(samples(8), 4), net,
                            std::make_unique<torch::optim::AdamW>(net->parameters(), torch::optim::AdamWOptions(1e-3)));
    static_assert(std::is_same_v<decltype(loader), std::shared_ptr<data::Loader>>);
    static_assert(std::is_same_v<decltype(model), accelerator::Prepared<Net>>);
    auto schedule = accelerator.prepare(optim::make_schedule("StepLR", Tree::dict({{"step_size", 1}}), *optimizer));
    EXPECT_TRUE(accelerator.prepare(net) == model);
    EXPECT_TRUE(accelerator.prepare(model) == model);
    EXPECT_EQ(accelerator.prepare(optimizer), optimizer);
    EXPECT_EQ(accelerator.prepare(loader), loader);
    EXPECT_EQ(accelerator.prepare(schedule), schedule);
    EXPECT_EQ(accelerator.unwrap_model(model), net);
    EXPECT_EQ(loader->length().value(), 2);
    const NamedTensors state = accelerator.get_state_dict(model);
    ASSERT_EQ(state.size(), 3U);
    EXPECT_EQ(state[0].first, "first");
    EXPECT_EQ(state[0].second.data_ptr(), net->first.data_ptr());
}

TEST(Loop, EvaluationModeDoesNotReduce) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, process);
        auto model = accelerator.prepare_model(std::make_shared<Net>(), {.evaluation_mode = true});
        EXPECT_EQ(model.model().data_parallel(), nullptr);
    });
}

TEST(Loop, WhatTravels) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        const auto calls = [&] { return process->everyone().stats().count; };
        const auto grad = [](Net& net) { return net.first.grad()[0][0].item<double>(); };
        Accelerator accelerator({.gradient_accumulation_steps = 2}, process);
        auto net = std::make_shared<Net>();
        auto model = accelerator.prepare(net);
        const at::Tensor x = at::full({2, 4}, 1.0 + process->rank());
        const auto micro_step = [&] {
            const auto before = calls();
            auto scope = accelerator.accumulate(model);
            accelerator.backward(model(x).sum());
            return calls() - before;
        };
        EXPECT_EQ(micro_step(), 0U);
        EXPECT_FALSE(accelerator.sync_gradients());
        EXPECT_GT(micro_step(), 0U);
        EXPECT_TRUE(accelerator.sync_gradients());
        const at::Tensor both = accelerator.gather(net->first.grad().reshape({1, -1}));
        EXPECT_TRUE(at::equal(both[0], both[1]));

        {
            const auto before = calls();
            const auto scope = accelerator.no_sync(model);
            { const auto inner = accelerator.no_sync(model); }
            accelerator.backward(model(x).sum());
            EXPECT_EQ(calls(), before);
        }
        {
            at::Tensor loss;
            {
                const auto scope = accelerator.no_sync(model);
                loss = model(x).sum();
            }
            const auto before = calls();
            accelerator.trigger_sync_in_backward(model);
            accelerator.backward(loss);
            EXPECT_GT(calls(), before);
            const double mine = grad(*net);
            EXPECT_DOUBLE_EQ(accelerator.gather(at::full({1}, mine, at::kDouble))[1 - process->rank()].item<double>(),
                             mine);
        }
    });
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        AcceleratorOptions options{.gradient_accumulation_steps = 2};
        options.accumulation.sync_each_batch = true;
        Accelerator accelerator(options, process);
        auto model = accelerator.prepare(std::make_shared<Net>());
        for (int i = 0; i < 2; ++i) {
            const auto before = process->everyone().stats().count;
            auto scope = accelerator.accumulate(model);
            accelerator.backward(model(at::ones({2, 4})).sum());
            EXPECT_GT(process->everyone().stats().count, before);
        }
    });
}

/// Sums of squares over tokens; rank and micro-batch have as many tokens as `split` says.
at::Tensor token_weighted(std::shared_ptr<parallel::ProcessState> process, Precision precision,
                          const std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>>& split) {
    Accelerator accelerator(
        {.mixed_precision = precision, .gradient_accumulation_steps = static_cast<std::int64_t>(split[0].size())},
        process);
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer =
        accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1)));
    const at::Tensor x = at::linspace(-1, 1, 48).reshape({12, 4});
    for (int step = 0; step < 6; ++step)
        for (const auto& [begin, end] : split.at(static_cast<std::size_t>(process->rank()))) {
            auto scope = accelerator.accumulate(model);
            const at::Tensor tokens = x.slice(0, begin, end);
            accelerator.backward(model(tokens).sub(1.0).square().sum(),
                                 {.denominator = static_cast<double>(end - begin)});
            if (accelerator.sync_gradients())
                accelerator.clip_grad_norm(model, 0.5);
            optimizer->step();
            optimizer->zero_grad();
        }
    return net->flat();
}

TEST(Loop, MeanOverTokensHoweverTheyAreSpread) {
    const at::Tensor whole = token_weighted(alone(), Precision::no, {{{0, 12}}});
    expect_close(token_weighted(alone(), Precision::no, {{{0, 1}, {1, 9}, {9, 12}}}), whole);
    for (const Precision precision : {Precision::no, Precision::fp16})
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            expect_close(token_weighted(process, precision, {{{0, 1}, {1, 3}}, {{3, 11}, {11, 12}}}), whole,
                         precision == Precision::no ? 1e-6 : 5e-2);
        });
    Accelerator accelerator({.gradient_accumulation_steps = 2}, alone());
    auto model = accelerator.prepare(std::make_shared<Net>());
    {
        auto scope = accelerator.accumulate(model);
        accelerator.backward(model(at::ones({1, 4})).sum(), {.denominator = 1});
    }
    auto scope = accelerator.accumulate(model);
    EXPECT_THROW(accelerator.backward(model(at::ones({1, 4})).sum()), UserError);
}

// --- overflow ---------------------------------------------------------------------------------------------------------------------------------

TEST(Loop, AnOverflowSkipsStepAndSchedule) {
    Accelerator accelerator({.mixed_precision = Precision::fp16}, alone());
    auto net = std::make_shared<Net>();
    auto model = accelerator.prepare(net);
    auto optimizer =
        accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1)));
    auto schedule = accelerator.prepare(
        optim::make_schedule("StepLR", Tree::dict({{"step_size", 1}, {"gamma", 0.5}}), *optimizer), optimizer);
    const auto step = [&](double factor) {
        accelerator.backward(model(at::ones({2, 4})).sum().mul(factor));
        optimizer->step();
        schedule->step();
        optimizer->zero_grad();
    };
    step(1e-3);
    EXPECT_FALSE(accelerator.optimizer_step_was_skipped());
    EXPECT_DOUBLE_EQ(optimizer->lr(0), 0.05);
    const at::Tensor before = net->flat();
    step(1e9);
    EXPECT_TRUE(accelerator.optimizer_step_was_skipped());
    EXPECT_TRUE(optimizer->step_was_skipped());
    EXPECT_EQ(optimizer->skipped_steps(), 1);
    EXPECT_TRUE(at::equal(net->flat(), before));
    EXPECT_DOUBLE_EQ(optimizer->lr(0), 0.05);
    EXPECT_DOUBLE_EQ(accelerator.scaler()->scale_value(), 32768.0);
    step(1e-3);
    EXPECT_FALSE(optimizer->step_was_skipped());
    EXPECT_FALSE(at::equal(net->flat(), before));
    EXPECT_DOUBLE_EQ(optimizer->lr(0), 0.025);
}

TEST(Loop, TwoOptimizersShareOneScale) {
    AcceleratorOptions options{.mixed_precision = Precision::fp16};
    options.grad_scaler = {.init_scale = 4, .growth_interval = 1};
    Accelerator accelerator(options, alone());
    auto a = std::make_shared<test::Scale>(), b = std::make_shared<test::Scale>();
    auto model_a = accelerator.prepare(a);
    auto model_b = accelerator.prepare(b);
    const auto sgd = [](test::Scale& net) {
        return std::unique_ptr<optim::Optimizer>(
            std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{net.weight}, 1.0));
    };
    auto first = accelerator.prepare(sgd(*a));
    auto second = accelerator.prepare(sgd(*b));
    accelerator.backward((model_a(at::full({1}, 2.0)) + model_b(at::full({1}, 3.0))).sum());
    first->step();
    EXPECT_DOUBLE_EQ(accelerator.scaler()->scale_value(), 4);  // the other's gradients still carry it
    second->step();
    EXPECT_DOUBLE_EQ(accelerator.scaler()->scale_value(), 8);
    EXPECT_DOUBLE_EQ(a->weight.item<double>(), -2);
    EXPECT_DOUBLE_EQ(b->weight.item<double>(), -3);
    first->zero_grad();
    second->zero_grad();
    // One of them sits out.
    accelerator.backward(model_a(at::full({1}, 2.0)).sum());
    first->step();
    first->zero_grad();
    EXPECT_DOUBLE_EQ(a->weight.item<double>(), -4);
    accelerator.backward(model_b(at::full({1}, 3.0)).sum());
    EXPECT_DOUBLE_EQ(accelerator.scaler()->scale_value(), 16);
    second->step();
    EXPECT_DOUBLE_EQ(b->weight.item<double>(), -6);
}

TEST(Loop, GradientsCanBeReadAndClippedByValue) {
    Accelerator accelerator({.mixed_precision = Precision::fp16, .gradient_accumulation_steps = 2}, alone());
    auto net = std::make_shared<test::Scale>(3);
    auto model = accelerator.prepare(net);
    auto optimizer = accelerator.prepare(
        std::unique_ptr<optim::Optimizer>(std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{net->weight}, 1.0)));
    const at::Tensor x = at::arange(1.0, 4.0).to(at::kFloat);
    {
        auto scope = accelerator.accumulate(model);
        accelerator.backward(model(x).sum());
        EXPECT_FALSE(accelerator.clip_grad_norm(model, 0.1).defined());  // a part of a sum
        EXPECT_DOUBLE_EQ(net->weight.grad()[1].item<double>(), 65536.0);
    }
    auto scope = accelerator.accumulate(model);
    accelerator.backward(model(x).sum());
    accelerator.unscale_gradients();
    accelerator.unscale_gradients(optimizer);
    EXPECT_TRUE(at::equal(net->weight.grad(), x));
    accelerator.clip_grad_value(model, 1.5);
    EXPECT_TRUE(at::equal(net->weight.grad(), at::clamp_max(x, 1.5)));
    optimizer->step();
    EXPECT_TRUE(at::equal(net->weight.detach(), at::clamp_max(x, 1.5).neg()));
}

// --- loaders, memory, environment -------------------------------------------------------------------------------------------------------------

TEST(Loop, NestedLoopsHaveTheirOwnEnd) {
    Accelerator accelerator({}, alone());
    const auto loader = [&](std::int64_t count) { return accelerator.prepare(test::loader_over(samples(count), 2)); };
    auto outer = loader(6), inner = loader(3);
    const accelerator::GradientState& state = accelerator.gradient_state();
    EXPECT_FALSE(state.in_dataloader());
    std::vector<bool> ends, inner_ends;
    for (Tree& batch : *outer) {
        (void)batch;
        for (Tree& evaluated : *inner) {
            (void)evaluated;
            inner_ends.push_back(state.end_of_dataloader());
            EXPECT_EQ(state.active_dataloader(), inner.get());
        }
        EXPECT_EQ(state.active_dataloader(), outer.get());
        ends.push_back(state.end_of_dataloader());
    }
    EXPECT_EQ(ends, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(inner_ends, (std::vector<bool>{false, true, false, true, false, true}));
    EXPECT_FALSE(state.in_dataloader());
    EXPECT_EQ(state.remainder(), -1);
    // After an early exit from a loop, the loader stays active until the next loop over it ends.
    for (Tree& batch : *outer) {
        (void)batch;
        break;
    }
    EXPECT_TRUE(state.in_dataloader());
    for (Tree& batch : *outer)
        (void)batch;
    EXPECT_FALSE(state.in_dataloader());
}

TEST(Loop, BatchesGoWhereTheProgramSays) {
    // A second device that every machine has: meta, without numbers.
    const auto process =
        std::make_shared<parallel::ProcessState>(std::shared_ptr<parallel::World>(parallel::World::connect({}, "cpu")),
                                                 parallel::ProcessPlace{}, at::Device(at::kMeta));
    for (const bool placed : {true, false}) {
        AcceleratorOptions options;
        options.device_placement = placed;
        Accelerator accelerator(options, process);
        EXPECT_EQ(accelerator.device(), at::Device(at::kMeta));
        const auto device_of = [](data::Loader& loader) {
            loader.begin();
            return loader.next()->at("x").as_tensor().device();
        };
        auto loader = accelerator.prepare(test::loader_over(samples(4), 2));
        EXPECT_EQ(device_of(*loader).type(), placed ? at::kMeta : at::kCPU);
        auto other = accelerator.prepare_data_loader(test::loader_over(samples(4), 2), !placed);
        EXPECT_EQ(device_of(*other).type(), placed ? at::kCPU : at::kMeta);
    }
}

TEST(Loop, LettingGo) {
    Accelerator accelerator({}, alone());
    std::weak_ptr<Net> alive;
    for (int round = 0; round < 2; ++round) {  // a second training in one process
        auto net = std::make_shared<Net>();
        alive = net;
        auto model = accelerator.prepare(net);
        auto optimizer =
            accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.1)));
        auto loader = accelerator.prepare(test::loader_over(samples(4), 2));
        for (Tree& batch : *loader) {
            auto scope = accelerator.accumulate(model);
            accelerator.backward(loss_of(model(batch.at("x").as_tensor()), batch));
            optimizer->step();
        }
        net.reset();
        EXPECT_FALSE(alive.expired());
        accelerator.free_memory(model, optimizer, loader);
        EXPECT_TRUE(alive.expired());
        EXPECT_FALSE(static_cast<bool>(model));
        EXPECT_EQ(optimizer, nullptr);
        EXPECT_EQ(accelerator.step(), 0);
    }
}

struct Variable {
    Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(name_); }
    const char* name_;
};

TEST(Loop, TheLaunchersEnvironment) {
    {
        const Variable precision("ACCELERATE_MIXED_PRECISION", "bf16"),
            steps("ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "3");
        Accelerator accelerator({.gradient_accumulation_steps = 2});
        EXPECT_EQ(accelerator.mixed_precision(), Precision::bf16);
        EXPECT_EQ(accelerator.gradient_accumulation_steps(), 3);
        EXPECT_EQ(accelerator.num_processes(), 1);
        Accelerator explicitly({.mixed_precision = Precision::no});
        EXPECT_EQ(explicitly.mixed_precision(), Precision::no);
    }
    {
        const Variable steps("ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "many");
        EXPECT_THROW(Accelerator({}, alone()), UserError);
    }
    {
        const Variable sharded("ACCELERATE_USE_MEGATRON_LM", "true");
        EXPECT_THROW(Accelerator({}, alone()), UserError);
    }
    {
        const Variable precision("ACCELERATE_MIXED_PRECISION", "fp8");
        EXPECT_EQ(Accelerator({}, alone()).mixed_precision(), Precision::fp8);
    }
    for (const auto& [value, precision] : {std::pair("True", Precision::fp16), std::pair("False", Precision::no)}) {
        const Variable oldest("USE_FP16", value);
        EXPECT_EQ(Accelerator({}, alone()).mixed_precision(), precision);
        const Variable newer("ACCELERATE_MIXED_PRECISION", "bf16");
        EXPECT_EQ(Accelerator({}, alone()).mixed_precision(), Precision::bf16);
    }
    {
        const Variable oldest("USE_FP16", "half");
        EXPECT_THROW(Accelerator({}, alone()), UserError);
    }
    EXPECT_THROW(Accelerator({.gradient_accumulation_steps = 0}, alone()), UserError);
}

}  // namespace
}  // namespace trainyard
