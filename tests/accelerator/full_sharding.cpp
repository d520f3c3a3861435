// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of fully sharded weights of a program's own modules (zero_stage 3): training equals that on one rank, with or
// without blocks, and gathered weights exist only while their block computes.

#include "accelerator/full_sharding.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"

namespace trainyard::full_sharding {
namespace {

using test::says;
using testing::HasSubstr;

TEST(FullSharding, TenStepsAreThoseOfOneRank) {
    const std::map<std::string, FullCase> cases{
        {"blocks", {}},
        {"kept after forward", {.how = {.reshard_after_forward = false}}},
        {"nothing ahead", {.how = {.gathered_ahead = 0}}},
        {"all at once", {.how = {.by_block = false}}},
        {"by class", {.how = {.wrap = {.classes = {"Layer"}}}}},
        {"by size", {.how = {.wrap = {.min_parameters = 100}}}},
        {"leaf modules", {.how = {.whole_classes = {"Layer"}}}},
        {"ignored modules", {.how = {.ignored_modules = "layer1|out"}}},
        {"ignored inside blocks", {.how = {.ignored_modules = ".*inner"}}},
        {"ignored classes", {.how = {.ignored_classes = {"Layer"}}}},
        {"ignored, all others at once", {.how = {.by_block = false, .ignored_modules = "in"}}},
        {"all ignored", {.how = {.ignored_modules = ".*"}}},
        {"checkpointed", {.checkpointed = true}},
        {"clipped", {.max_norm = 0.05}},
        {"three ranks", {.ranks = 3}},
        {"two replicas", {.ranks = 4, .how = {.dp_replicate = 2}}},
        {"two replicas of stage 2", {.ranks = 4, .how = {.dp_replicate = 2}, .stage = 2}},
        {"second copies", {.ranks = 4, .how = {.zero_hpz_partition_size = 2}}},
        {"second copies of two replicas", {.ranks = 4, .how = {.dp_replicate = 2, .zero_hpz_partition_size = 2}}},
        {"replicas alone", {.ranks = 2, .how = {.dp_replicate = 2}}},
        {"repeated parameters", {.repeats = true}},
        {"repeated parameters of stage 1", {.stage = 1, .repeats = true}},
    };
    for (const std::int64_t accumulation : {1, 2})
        for (const auto& [name, each] : cases) {
            FullCase what = each, alone = each;
            what.accumulation = alone.accumulation = accumulation;
            alone.ranks = 1;
            alone.how.dp_replicate = 1;
            const std::string text = name + ", " + std::to_string(accumulation) + " micro-batches";
            const Outcome got = outcome_of(what, 10), expected = outcome_of(alone, 10);
            expect_near(got.losses, expected.losses, text + ", losses");
            expect_near(got.norms, expected.norms, text + ", norms");
            expect_near(got.state, expected.state, text + ", weights");
        }
}

TEST(FullSharding, WeightsExistWhileABlockComputes) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        FullTraining training({.how = {.gathered_ahead = 1}}, std::move(process));
        training.run(2);
        const parallel::ValueRooms& values = training.values();
        EXPECT_EQ(values.bytes(), 0);
        EXPECT_EQ(training.net->layers.front()->up->weight.storage().nbytes(), 0U);
        EXPECT_THAT(
            [&] { training.net->layers.front()->up->weight.sum(); },
            testing::ThrowsMessage<c10::Error>(HasSubstr("the values of layer0 are read while their room is closed")));
        std::int64_t whole = 0;
        for (const at::Tensor& parameter : training.net->parameters())
            whole += parameter.numel() * 4;
        EXPECT_LT(values.most_bytes(), whole * 9 / 10);
        // The log lists the units that a step gathers. The last blocks of forward are not gathered again for backward.
        const std::vector<std::string> log = training.rooms().log();
        EXPECT_THAT(log, testing::Contains("root forward"));
        for (const char* block : {"layer0", "layer1.inner.line", "layer2"})
            EXPECT_EQ(std::ranges::count_if(
                          log, [&](const std::string& line) { return line.starts_with(std::string(block) + ' '); }),
                      2)
                << block << " in " << testing::PrintToString(log);
        EXPECT_EQ(std::ranges::count_if(log, [](const std::string& line) { return line.starts_with("root "); }), 1);
    });
}

TEST(FullSharding, AnEvaluationInBetweenChangesNothing) {
    NamedTensors state;
    std::vector<double> predictions;
    const at::Tensor x = at::arange(8, at::kFloat).reshape({2, 4});
    const auto evaluate = [&](FullTraining& training) {
        const at::NoGradGuard no_grad;
        training.net->eval();
        const at::Tensor y = training.model(x);
        training.net->train();
        return std::vector<double>{y[0].item<double>(), y[1].item<double>()};
    };
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({}, std::move(process));
        training.run(2);
        std::vector<double> seen = evaluate(training);
        EXPECT_EQ(training.values().bytes(), 0);
        // A forward of training without a backward, and one that the program's own exception ends.
        auto unused = training.model(x);
        training.net->layers[1]->fails = true;
        EXPECT_THROW(training.model(x), std::runtime_error);
        training.net->layers[1]->fails = false;
        training.run(2);
        NamedTensors own = training.state();
        if (rank == 0) {
            state = std::move(own);
            predictions = std::move(seen);
        }
    });
    FullTraining alone({.ranks = 1}, test::alone());
    alone.run(2);
    expect_near(predictions, evaluate(alone), "predictions");
    alone.run(2);  // the loader begins again in both
    expect_near(state, alone.state(), "weights");
}

TEST(FullSharding, IgnoredModulesAreWholeAtAnyTime) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        const bool is_main = process->is_main_process();
        FullTraining training({.how = {.ignored_modules = "layer1|out"}}, std::move(process));
        const auto expect_whole = [&](const std::string& when) {
            const std::int64_t open = training.values().bytes();
            const NamedTensors state = training.state();
            for (const auto& [name, parameter] : accelerator::detail::named(training.net->named_parameters())) {
                const bool ignored = name.starts_with("layer1.") || name.starts_with("out.") ||
                                     name.find("shared") != std::string::npos;  // layer1 has the shared layer, too
                EXPECT_EQ(parameter.storage().nbytes() > 0, ignored) << name << ' ' << when;
                if (!ignored || !is_main)
                    continue;
                const auto whole = std::ranges::find(state, name, &NamedTensors::value_type::first);
                ASSERT_NE(whole, state.end()) << name;
                EXPECT_TRUE(parameter.equal(whole->second)) << name << ' ' << when;
            }
            EXPECT_GT(open, 0);
            EXPECT_EQ(training.values().bytes(), open);
        };
        expect_whole("after prepare()");
        training.run(2);
        expect_whole("after two updates");
    });
}

TEST(FullSharding, CodesOfZeroPlusPlusChangeTrainingALittle) {
    const Outcome exact = outcome_of({.ranks = 2}, 10);
    for (const auto& [weights, gradients] : {std::pair(true, false), {false, true}, {true, true}}) {
        const Outcome got = outcome_of(
            {.ranks = 2, .how = {.zero_quantized_weights = weights, .zero_quantized_gradients = gradients}}, 10);
        ASSERT_EQ(got.losses.size(), exact.losses.size());
        for (std::size_t i = 0; i < got.losses.size(); ++i)
            EXPECT_NEAR(got.losses[i], exact.losses[i], 0.1 * std::max(1.0, std::abs(exact.losses[i])));
        EXPECT_NE(got.losses.back(), exact.losses.back());
    }
}

TEST(FullSharding, WhatZeroPlusPlusDoesNotGoWithIsSaid) {
    struct Refused {
        FullCase what;
        std::string words;
    };
    for (const Refused& each : std::vector<Refused>{
             {{.how = {.zero_hpz_partition_size = 2}, .stage = 2}, "sharding.zero_hpz_partition_size: says how ranks"},
             {{.how = {.zero_quantized_weights = true}, .stage = 0}, "sharding.zero_quantized_weights: says how ranks"},
             {{.how = {.zero_quantized_gradients = true}, .stage = 1},
              "sharding.zero_quantized_gradients: says how ranks"},
             {{.how = {.zero_hpz_partition_size = 0}}, "sharding.zero_hpz_partition_size: 0: it must be 1"},
             {{.ranks = 3, .how = {.zero_hpz_partition_size = 2}},
              "3 ranks that shard the weights do not divide into groups of 2"},
             {{.how = {.offload_folder = "/tmp", .zero_quantized_weights = true}},
              "sharding.zero_quantized_weights: weights on a disk are sent as they are"}})
        EXPECT_THAT(
            [&] {
                on_ranks(each.what.ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
                    FullTraining training(each.what, std::move(process));
                });
            },
            testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
}

TEST(FullSharding, WhatIgnoresNothingIsSaid) {
    struct Refused {
        ShardingOptions how;
        std::string words;
    };
    for (const Refused& each :
         std::vector<Refused>{{{.ignored_modules = "layer"}, "'layer' matches the whole name of no module"},
                              {{.ignored_modules = "(layer"}, "(layer"},
                              {{.ignored_classes = {"Bert"}}, "no block of the model is of the class 'Bert'"}})
        EXPECT_THAT(
            [&] {
                on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                    FullTraining training({.how = each.how}, std::move(process));
                });
            },
            testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
}

/// A weight of a block that the rest of the model uses, too: an embedding and its head.
struct Tied : torch::nn::Module {
    Tied() : block(accelerator::wrap_block(register_module("block", std::make_shared<Inner>()))) {
        again = register_parameter("again", block->line->weight);
        in = register_module("in", torch::nn::Linear(4, 7));
        const at::NoGradGuard no_grad;
        for (const at::Tensor& parameter : parameters())
            parameter.copy_(at::arange(parameter.numel(), at::kFloat).sin().mul(0.3).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return at::linear(block(in(x)), again); }
    std::vector<accelerator::Block*> blocks() { return {&block}; }
    accelerator::CheckpointWrapper<Inner> block;
    at::Tensor again;
    torch::nn::Linear in{nullptr};
};

TEST(FullSharding, AWeightThatIsUsedOutsideItsBlockIsOfTheRoot) {
    std::map<int, NamedTensors> states;
    for (const int ranks : {1, 2}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            Accelerator accelerator({.zero_stage = 3}, std::move(process));
            auto net = std::make_shared<Tied>();
            auto model = accelerator.prepare(net);
            std::vector<at::Tensor> parameters{net->again, net->block->line->bias, net->in->weight, net->in->bias};
            auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters, 0.01));
            for (int step = 0; step < 3; ++step) {
                accelerator.backward(model(at::arange(8, at::kFloat).reshape({2, 4})).square().mean());
                optimizer->step();
                optimizer->zero_grad();
            }
            NamedTensors state = accelerator.get_state_dict(model);
            if (rank == 0)
                states[ranks] = copies_of(state);
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
    expect_near(states.at(2), states.at(1), "weights");
}

TEST(FullSharding, ClassesThatTheModelDoesNotHaveAreRefused) {
    for (const ShardingOptions& how :
         {ShardingOptions{.wrap = {.classes = {"BertLayer"}}}, ShardingOptions{.whole_classes = {"BertLayer"}}}) {
        Accelerator accelerator({.zero_stage = 3, .sharding = how}, test::alone());
        EXPECT_THAT([&] { accelerator.prepare(std::make_shared<Net>()); },
                    testing::ThrowsMessage<UserError>(
                        HasSubstr("blocks of the class 'BertLayer' are to be gathered, but the model's blocks are of "
                                  "Inner, Layer")));
        EXPECT_THAT([&] { accelerator.prepare(std::make_shared<test::Net>()); },
                    testing::ThrowsMessage<UserError>(HasSubstr("but the model names no block")));
    }
}

TEST(FullSharding, CopiesOfSharesAreCompared) {
    on_ranks(4, [](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.ranks = 4, .how = {.dp_replicate = 2}}, std::move(process));
        training.run(1);
        EXPECT_FALSE(training.accelerator.find_divergence(training.model));
        if (rank == 3) {
            const at::NoGradGuard no_grad;
            for (const auto& [name, values] : training.model.model().held_values())
                values.add_(0.5);
        }
        // Ranks 1 and 3 have the same share.
        EXPECT_EQ(training.accelerator.find_divergence(training.model).has_value(), rank % 2 == 1);
    });
}

}  // namespace
}  // namespace trainyard::full_sharding
