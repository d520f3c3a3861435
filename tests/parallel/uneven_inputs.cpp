// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks with different numbers of batches, of samples and of targets; ranks that only meet every few steps.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <gtest/gtest.h>
#include <trainyard/loss_denominator.h>

#include "base/error.h"
#include "distributed/parallel/coalesced.h"
#include "distributed/parallel/join.h"
#include "distributed/parallel/local_sgd.h"
#include "over_ranks.h"
#include "small_module.h"

namespace trainyard::parallel {
namespace {

using test::joined_batch;
using test::over_ranks;
using test::share;
using test::SmallModule;

/// Trains on `batches` of this rank and returns the gradients' norm of the last step.
void train(DataParallel& parallel, SmallModule& module, int rank, std::int64_t batches) {
    for (std::int64_t step = 0; step < batches; ++step) {
        module.zero_grad();
        parallel.forward([&] { return module.loss(share(joined_batch(6, step), rank, 3)); }).backward();
        module.descend(0.01);
    }
}

/// What one rank would do: the ranks' losses of a step, those without a batch missing, divided by `divisor(active)`.
SmallModule expected_after(const std::vector<std::int64_t>& batches, const std::function<double(int)>& divisor) {
    SmallModule alone(1);
    for (std::int64_t step = 0; step < *std::max_element(batches.begin(), batches.end()); ++step) {
        at::Tensor total;
        int active = 0;
        for (std::size_t rank = 0; rank < batches.size(); ++rank) {
            if (step >= batches[rank])
                continue;
            at::Tensor part = alone.loss(share(joined_batch(6, step), static_cast<int>(rank), 3));
            total = total.defined() ? total + part : part;
            ++active;
        }
        alone.zero_grad();
        (total / divisor(active)).backward();
        alone.descend(0.01);
    }
    return alone;
}

double weight_distance(const SmallModule& a, const SmallModule& b) {
    at::NoGradGuard no_grad;
    double largest = 0;
    for (std::size_t i = 0; i < a.parameters().size(); ++i)
        largest = std::max(largest, (a.parameters()[i].second - b.parameters()[i].second).abs().max().item<double>());
    return largest;
}

class Join : public ::testing::TestWithParam<std::vector<std::int64_t>> {};

TEST_P(Join, RanksWithoutBatchesShadowTheOthers) {
    const std::vector<std::int64_t>& batches = GetParam();
    int ranks = static_cast<int>(batches.size());
    for (bool initial : {true, false}) {
        SmallModule expected = expected_after(batches, [&](int active) { return initial ? ranks : active; });
        for (bool unused : {true, false})
            over_ranks(ranks, [&](Communicator& communicator) {
                SmallModule mine(1);
                DataParallelOptions options;
                options.bucket_cap_mb = 1e-4;
                options.find_unused_parameters = unused;
                DataParallel parallel(mine.parameters(), mine.buffers(), communicator, options);
                JoinOptions join;
                join.divide_by_initial_world_size = initial;
                join_uneven_inputs({&parallel}, join, [&] {
                    train(parallel, mine, communicator.rank(), batches[static_cast<std::size_t>(communicator.rank())]);
                });
                EXPECT_LT(weight_distance(mine, expected), 1e-6) << "rank " << communicator.rank();
                // All ranks can go on together.
                mine.zero_grad();
                parallel.forward([&] { return mine.loss(joined_batch(2, 9)); }).backward();
                EXPECT_TRUE(mine.first.grad().defined());
            });
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, Join,
                         ::testing::Values(std::vector<std::int64_t>{3, 2}, std::vector<std::int64_t>{1, 4},
                                           std::vector<std::int64_t>{0, 2}, std::vector<std::int64_t>{2, 2},
                                           std::vector<std::int64_t>{2, 5, 3}),
                         [](const auto& one) {
                             std::string name = "Batches";
                             for (std::int64_t count : one.param)
                                 name += "_" + std::to_string(count);
                             return name;
                         });

TEST(JoinUnevenInputs, CompressedGradientsAreShadowedToo) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallelOptions options;
        options.comm_hook = make_comm_hook(CommHookType::power_sgd, Precision::no,
                                           Tree::dict({{"start_powerSGD_iter", 1}, {"min_compression_rate", 1}}));
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        join_uneven_inputs({&parallel}, {},
                           [&] { train(parallel, mine, communicator.rank(), 3 + communicator.rank()); });
        at::Tensor both = at::zeros({2, 8, 6});
        communicator.all_gather(both, mine.first.detach(), "weights");
        EXPECT_TRUE(both[0].equal(both[1]));
    });
}

TEST(JoinUnevenInputs, AccumulationIsShadowedStepByStep) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        std::int64_t batches = communicator.rank() == 0 ? 6 : 4;  // two micro-batches a step
        join_uneven_inputs({&parallel}, {}, [&] {
            for (std::int64_t i = 0; i < batches; ++i) {
                auto run = [&] { parallel.forward([&] { return mine.loss(joined_batch(2, i)); }).backward(); };
                if (i % 2 == 0) {
                    NoSync local = parallel.no_sync();
                    run();
                } else {
                    run();
                    mine.descend(0.01);
                    mine.zero_grad();
                }
            }
        });
        SmallModule alone(1);
        for (std::int64_t i = 0; i < 6; ++i) {
            (alone.loss(joined_batch(2, i)) * (i < 4 ? 1.0 : 0.5)).backward();
            if (i % 2 == 1) {
                alone.descend(0.01);
                alone.zero_grad();
            }
        }
        EXPECT_LT(weight_distance(mine, alone), 1e-6);
    });
}

TEST(JoinUnevenInputs, RanksThatDisagreeAboutReducingAreTold) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        EXPECT_THROW(join_uneven_inputs({&parallel}, {},
                                        [&] {
                                            std::optional<NoSync> local;
                                            if (communicator.rank() == 0)
                                                local.emplace(parallel.no_sync());
                                            parallel.before_forward();
                                        }),
                     UserError);
    });
}

TEST(JoinUnevenInputs, SeveralModulesAreShadowedInTheirOrder) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule first(1), second(11);
        DataParallelOptions options;
        options.bucket_cap_mb = 1e-4;
        DataParallel one(first.parameters(), first.buffers(), communicator, options),
            two(second.parameters(), second.buffers(), communicator, options);
        join_uneven_inputs({&one, &two}, {}, [&] {
            for (std::int64_t step = 0; step < 2 + communicator.rank(); ++step) {
                at::Tensor x = share(joined_batch(6, step), communicator.rank(), 3);
                at::Tensor a = one.forward([&] { return first.loss(x); }),
                           b = two.forward([&] { return second.loss(x); });
                a.backward();
                b.backward();
                for (SmallModule* module : {&first, &second}) {
                    module->descend(0.01);
                    module->zero_grad();
                }
            }
        });
        SmallModule expected = expected_after({2, 3}, [](int) { return 2; });
        EXPECT_LT(weight_distance(first, expected), 1e-6);
        at::Tensor both = at::zeros({2, 5, 8});
        communicator.all_gather(both, second.second.detach(), "weights");
        EXPECT_TRUE(both[0].equal(both[1]));
    });
}

TEST(JoinUnevenInputs, ARankWithoutAnyBatchLearnsAStaticGraphLater) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallelOptions options;
        options.static_graph = true;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        join_uneven_inputs({&parallel}, {},
                           [&] { train(parallel, mine, communicator.rank(), 2 * communicator.rank()); });
        for (std::int64_t step = 0; step < 3; ++step) {
            SmallModule alone(1);
            {
                at::NoGradGuard no_grad;
                for (std::size_t i = 0; i < 5; ++i)
                    alone.parameters()[i].second.copy_(mine.parameters()[i].second);
            }
            mine.zero_grad();
            parallel.forward([&] { return mine.loss(share(joined_batch(4, step), communicator.rank(), 2)); })
                .backward();
            alone.loss(joined_batch(4, step)).backward();
            EXPECT_LT((mine.first.grad() - alone.first.grad()).abs().max().item<float>(), 1e-5) << step;
            mine.descend(0.01);
        }
    });
}

TEST(JoinUnevenInputs, EarlyTerminationIsThrownOnEveryRank) {
    over_ranks(3, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        JoinOptions options;
        options.throw_on_early_termination = true;
        EXPECT_THROW(join_uneven_inputs({&parallel}, options,
                                        [&] { train(parallel, mine, communicator.rank(), 2 + communicator.rank()); }),
                     InputsExhausted);
        JoinOptions off;
        off.enable = false;
        std::uint64_t before = communicator.stats().count;
        join_uneven_inputs({&parallel}, off, [] {});
        EXPECT_EQ(communicator.stats().count, before);
    });
}

/// An optimizer with one tensor of state and a step count.
struct Momentum final : Stateful {
    at::Tensor buffer;
    explicit Momentum(double value) : buffer(at::full({3}, value)) {}
    Tree state_dict() const override { return Tree::dict({{"step", 7}, {"momentum", buffer}}); }
    void load_state_dict(const Tree& state) override {
        EXPECT_EQ(state.at("step").as_integer(), 7);
        buffer.copy_(state.at("momentum").as_tensor());
    }
};

TEST(LocalSgd, ParametersMeetEveryKSteps) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        Momentum momentum(communicator.rank());
        DataParallel parallel(mine.parameters(), {}, communicator);
        LocalSgdOptions options;
        options.steps = 3;
        options.optimizer = &momentum;
        LocalSgd local(parallel, options);
        auto same = [&] {
            at::Tensor both = at::zeros({2, 8, 6});
            communicator.all_gather(both, mine.first.detach(), "weights");
            return both[0].equal(both[1]);
        };
        for (std::int64_t step = 1; step <= 7; ++step) {
            mine.zero_grad();
            std::uint64_t before = communicator.stats().count;
            parallel.forward([&] { return mine.loss(share(joined_batch(4, step), communicator.rank(), 2)); })
                .backward();
            EXPECT_EQ(communicator.stats().count, before) << "gradients stay local";
            mine.descend(0.01);
            EXPECT_FALSE(same()) << step;
            local.step();
            EXPECT_EQ(same(), step % 3 == 0) << step;
        }
        EXPECT_EQ(momentum.buffer[0].item<float>(), 0.5f);
        EXPECT_FALSE(same());
        local.finish();
        EXPECT_TRUE(same());
        parallel.before_forward();
        EXPECT_TRUE(parallel.reduces()) << "gradients are reduced again";
        EXPECT_THROW(LocalSgd(parallel, {.steps = 0}), UserError);
    });
}

TEST(LossScale, UnequalTargetsGiveTheGradientOfOneRank) {
    over_ranks(2, [&](Communicator& communicator) {
        // 5 rows here, 2 there: what an uneven last batch, or masked tokens, leave.
        at::Tensor joined = joined_batch(7, 0);
        at::Tensor part = communicator.rank() == 0 ? joined.narrow(0, 0, 5) : joined.narrow(0, 5, 2);
        SmallModule alone(1);
        alone.loss(joined).backward();

        SmallModule before(1);
        DataParallel first(before.parameters(), {}, communicator);
        double scale = loss_scale(communicator, static_cast<double>(part.size(0)));
        EXPECT_DOUBLE_EQ(scale, 2.0 / 7);
        (before.forward(part).pow(2).sum() * scale).backward();

        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_LT(
                (before.parameters()[i].second.grad() - alone.parameters()[i].second.grad()).abs().max().item<float>(),
                1e-5);
        EXPECT_EQ(loss_scale(communicator, 0), 0);
    });
}

TEST(Coalesced, AveragesFloatingTensorsAndBroadcastsAll) {
    over_ranks(3, [&](Communicator& communicator) {
        double rank = communicator.rank();
        std::vector<at::Tensor> tensors{at::full({3}, rank),
                                        at::full({2, 2}, rank).to(at::kDouble),
                                        at::full({2}, communicator.rank(), at::kLong),
                                        at::Tensor(),
                                        at::full({4, 6}, rank).t(),
                                        at::full({1}, rank).to(at::kBool)};
        average_over_ranks(tensors, communicator, "test");
        EXPECT_NEAR(tensors[0].sum().item<float>(), 3, 1e-6);
        EXPECT_NEAR(tensors[1].sum().item<double>(), 4, 1e-6);
        EXPECT_EQ(tensors[2][0].item<std::int64_t>(), communicator.rank());
        EXPECT_NEAR(tensors[4].sum().item<float>(), 24, 1e-5);
        broadcast_coalesced(tensors, 2, communicator, "test");
        EXPECT_EQ(tensors[2][0].item<std::int64_t>(), 2);
        EXPECT_TRUE(tensors[5][0].item<bool>());
    });
}

}  // namespace
}  // namespace trainyard::parallel
