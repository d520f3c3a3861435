// SPDX-License-Identifier: GPL-3.0-or-later
// DataParallel: the gradients of several ranks are those of one rank on the joined batch, whatever is done between backward calls.

#include "distributed/parallel/data_parallel.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "over_ranks.h"
#include "small_module.h"

namespace trainyard::parallel {
namespace {

using test::joined_batch;
using test::over_ranks;
using test::share;
using test::SmallModule;

/// Largest difference of gradients, relative to their size.
double distance(const SmallModule& a, const SmallModule& b) {
    double largest = 0;
    NamedTensors ours = a.parameters(), theirs = b.parameters();
    for (std::size_t i = 0; i < ours.size(); ++i) {
        at::Tensor x = ours[i].second.grad(), y = theirs[i].second.grad();
        if (x.defined() != y.defined())
            return 1e9;
        if (x.defined())
            largest = std::max(largest, ((x - y).abs().max() / (y.abs().max() + 1e-12)).item<double>());
    }
    return largest;
}

DataParallelOptions small_buckets(bool views) {
    DataParallelOptions options;
    options.bucket_cap_mb = 1e-4;  // 105 bytes: several buckets
    options.gradient_as_bucket_view = views;
    return options;
}

class DataParallelOf : public ::testing::TestWithParam<std::tuple<int, bool>> {
  protected:
    int ranks() const { return std::get<0>(GetParam()); }
    bool views() const { return std::get<1>(GetParam()); }
};

TEST_P(DataParallelOf, RanksTrainsLikeOneRankOnTheJoinedBatch) {
    over_ranks(ranks(), [&](Communicator& communicator) {
        SmallModule mine(static_cast<std::uint64_t>(communicator.rank()) * 50), alone(0);
        DataParallel parallel(mine.parameters(), mine.buffers(), communicator, small_buckets(views()));
        EXPECT_GT(parallel.bucket_bytes().size(), 2u);
        EXPECT_TRUE(mine.first.equal(alone.first)) << "rank 0's values are the start";
        for (std::int64_t step = 0; step < 5; ++step) {
            at::Tensor joined = joined_batch(ranks() * 4, step);
            at::Tensor loss = parallel.forward([&] { return mine.loss(share(joined, communicator.rank(), ranks())); });
            loss.backward();
            alone.loss(joined).backward();
            EXPECT_LT(distance(mine, alone), 1e-5) << "step " << step;
            mine.descend(0.01);
            alone.descend(0.01);
            alone.zero_grad();
            // Both ways of clearing.
            if (step % 2 == 0)
                mine.zero_grad();
            else
                for (auto& [name, parameter] : mine.parameters())
                    parameter.mutable_grad().zero_();
        }
    });
}

TEST_P(DataParallelOf, RanksAccumulatesUnderNoSync) {
    over_ranks(ranks(), [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallel parallel(mine.parameters(), {}, communicator, small_buckets(views()));
        for (std::int64_t step = 0; step < 3; ++step) {
            std::uint64_t before = communicator.stats().count;
            {
                NoSync outer = parallel.no_sync();
                {
                    NoSync inner = parallel.no_sync();
                    parallel
                        .forward([&] {
                            return mine.loss(share(joined_batch(ranks() * 2, 10 * step), communicator.rank(), ranks()));
                        })
                        .backward();
                }
                EXPECT_FALSE(parallel.reduces()) << "scopes nest";
                parallel
                    .forward([&] {
                        return mine.loss(share(joined_batch(ranks() * 2, 10 * step + 1), communicator.rank(), ranks()));
                    })
                    .backward();
            }
            EXPECT_EQ(communicator.stats().count, before) << "nothing travels under no_sync";
            parallel
                .forward([&] {
                    return mine.loss(share(joined_batch(ranks() * 2, 10 * step + 2), communicator.rank(), ranks()));
                })
                .backward();
            EXPECT_EQ(communicator.stats().count, before + parallel.bucket_bytes().size());
            for (std::int64_t i = 0; i < 3; ++i)
                alone.loss(joined_batch(ranks() * 2, 10 * step + i)).backward();
            EXPECT_LT(distance(mine, alone), 1e-5) << "step " << step;
            mine.descend(0.01);
            alone.descend(0.01);
            mine.zero_grad();
            alone.zero_grad();
        }
    });
}

TEST_P(DataParallelOf, RanksReducesInEveryOfSeveralBackwardCalls) {
    over_ranks(ranks(), [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallel parallel(mine.parameters(), {}, communicator, small_buckets(views()));
        at::Tensor first = parallel.forward(
            [&] { return mine.loss(share(joined_batch(ranks() * 2, 1), communicator.rank(), ranks())); });
        at::Tensor second = parallel.forward(
            [&] { return mine.loss(share(joined_batch(ranks() * 2, 2), communicator.rank(), ranks())); });
        first.backward();
        second.backward();
        alone.loss(joined_batch(ranks() * 2, 1)).backward();
        alone.loss(joined_batch(ranks() * 2, 2)).backward();
        EXPECT_LT(distance(mine, alone), 1e-5);
    });
}

INSTANTIATE_TEST_SUITE_P(Two, DataParallelOf, ::testing::Combine(::testing::Values(2, 3), ::testing::Bool()),
                         [](const auto& one) {
                             return std::to_string(std::get<0>(one.param)) +
                                    (std::get<1>(one.param) ? "RanksWithViews" : "RanksWithOwnGradients");
                         });

TEST(DataParallel, TriggeredBackwardReducesAfterForwardsUnderNoSync) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        at::Tensor a, b;
        {
            NoSync local = parallel.no_sync();
            a = parallel.forward([&] { return mine.loss(share(joined_batch(4, 1), communicator.rank(), 2)); });
            b = parallel.forward([&] { return mine.loss(share(joined_batch(4, 2), communicator.rank(), 2)); });
        }
        std::uint64_t before = communicator.stats().count;
        a.backward();
        EXPECT_EQ(communicator.stats().count, before) << "its forward was local";
        parallel.trigger_sync_in_backward();
        b.backward();
        EXPECT_EQ(communicator.stats().count, before + 1);
        alone.loss(joined_batch(4, 1)).backward();
        alone.loss(joined_batch(4, 2)).backward();
        EXPECT_LT(distance(mine, alone), 1e-5);
        EXPECT_FALSE(parallel.reduces()) << "only one backward";
    });
}

TEST(DataParallel, MixedDtypesHaveBucketsOfTheirOwn) {
    over_ranks(2, [&](Communicator& communicator) {
        at::Tensor a = test::random_tensor({3, 3}, 1).set_requires_grad(true);
        at::Tensor b = test::random_tensor({3, 3}, 2).to(at::kDouble).set_requires_grad(true);
        at::Tensor c = test::random_tensor({3}, 3).to(at::kBFloat16).set_requires_grad(true);
        at::Tensor frozen = at::ones({2}) * communicator.rank();
        DataParallel parallel({{"a", a}, {"b", b}, {"c", c}, {"frozen", frozen}}, {}, communicator);
        EXPECT_EQ(parallel.bucket_bytes(), (std::vector<std::int64_t>{6, 72, 36}));
        EXPECT_EQ(frozen.sum().item<float>(), 0) << "parameters without gradient are broadcast too";
        double factor = communicator.rank() + 1;
        ((a * factor).sum() + (b * factor).sum() + (c * factor).sum()).backward();
        EXPECT_EQ(a.grad().mean().item<float>(), 1.5f);
        EXPECT_EQ(b.grad().mean().item<double>(), 1.5);
        EXPECT_EQ(c.grad().to(at::kFloat).mean().item<float>(), 1.5f);
        EXPECT_EQ(c.grad().scalar_type(), at::kBFloat16);
    });
}

TEST(DataParallel, BucketsAreCutAtTheirCapsFirstOneEarlier) {
    over_ranks(2, [&](Communicator& communicator) {
        NamedTensors parameters;
        for (int i = 0; i < 10; ++i)  // 1 KiB each
            parameters.emplace_back("p" + std::to_string(i), at::zeros({256}).set_requires_grad(true));
        DataParallelOptions options;
        options.first_bucket_mb = 2.0 / 1024;
        options.bucket_cap_mb = 3.0 / 1024;
        DataParallel parallel(parameters, {}, communicator, options);
        EXPECT_EQ(parallel.bucket_bytes(), (std::vector<std::int64_t>{2048, 3072, 3072, 2048}));
    });
}

TEST(DataParallel, ViewsLieInTheBucketsAndMayBeDetached) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallelOptions options;
        options.gradient_as_bucket_view = true;
        DataParallel parallel(mine.parameters(), {}, communicator, options);
        mine.loss(joined_batch(2, 0)).backward();
        EXPECT_TRUE(mine.first.grad().storage().is_alias_of(mine.second.grad().storage()));
        mine.first.mutable_grad().detach_();  // what torch::optim's zero_grad(false) does; it refuses views
        mine.first.mutable_grad().zero_();
        DataParallelOptions own;
        SmallModule other(1);
        DataParallel separate(other.parameters(), {}, communicator, own);
        other.loss(joined_batch(2, 0)).backward();
        EXPECT_FALSE(other.first.grad().storage().is_alias_of(other.second.grad().storage()));
    });
}

TEST(DataParallel, ChannelsLastParametersKeepTheirLayout) {
    over_ranks(2, [&](Communicator& communicator) {
        at::Tensor kernel =
            test::random_tensor({4, 3, 2, 2}, 1).contiguous(at::MemoryFormat::ChannelsLast).set_requires_grad(true);
        DataParallelOptions options;
        options.gradient_as_bucket_view = true;
        DataParallel parallel({{"kernel", kernel}}, {}, communicator, options);
        at::Tensor weight = test::random_tensor({4, 3, 2, 2}, 7);
        (kernel * weight * (communicator.rank() + 1.0)).sum().backward();
        EXPECT_EQ(kernel.grad().strides(), kernel.strides());
        EXPECT_TRUE((kernel.grad() - weight * 1.5).abs().max().item<float>() < 1e-6);
    });
}

TEST(DataParallel, BuffersAreRankZerosBeforeForwardsThatFollowAReduction) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        mine.running.fill_(communicator.rank());
        DataParallel parallel(mine.parameters(), mine.buffers(), communicator);
        auto step = [&](double add) {
            at::Tensor loss = parallel.forward([&] {
                mine.running.add_(add * (communicator.rank() + 1));
                return mine.loss(joined_batch(2, 0));
            });
            loss.backward();
            return mine.running[0].item<double>();
        };
        double rank = communicator.rank();
        EXPECT_EQ(step(1), 1 + rank);
        EXPECT_EQ(step(10), 11 + 10 * rank) << "started from rank 0's 1";
        {
            NoSync local = parallel.no_sync();
            EXPECT_EQ(step(100), 111 + 100 * rank);
            EXPECT_EQ(step(1000), 1111 + 1100 * rank) << "local after a local forward";
        }
        DataParallelOptions off;
        off.broadcast_buffers = false;
        DataParallel without(mine.parameters(), mine.buffers(), communicator, off);
        mine.running.fill_(rank);
        without.before_forward();
        EXPECT_EQ(mine.running[0].item<double>(), rank);
    });
}

TEST(DataParallel, TwoOfThemOnOneModuleAndOneAfterTheOther) {
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        { DataParallel gone(mine.parameters(), {}, communicator); }
        std::uint64_t before = communicator.stats().count;
        mine.loss(joined_batch(2, 0)).backward();
        EXPECT_EQ(communicator.stats().count, before) << "its hooks went with it";
    });
}

TEST(DataParallel, TiedWeightsCountOnce) {
    over_ranks(2, [&](Communicator& communicator) {
        at::Tensor shared = test::random_tensor({4}, 1).set_requires_grad(true);
        DataParallel parallel({{"embed", shared}, {"head", shared}}, {}, communicator);
        EXPECT_EQ(parallel.bucket_bytes(), (std::vector<std::int64_t>{16}));
        ((shared * (communicator.rank() + 1.0)).sum() + shared.sum()).backward();
        EXPECT_EQ(shared.grad().mean().item<float>(), 2.5f);
    });
}

TEST(DataParallel, DifferentModelsAreATableOnEveryRank) {
    over_ranks(2, [&](Communicator& communicator) {
        at::Tensor a = at::zeros({communicator.rank() == 0 ? 3 : 4}).set_requires_grad(true);
        at::Tensor b = at::zeros({2}).set_requires_grad(communicator.rank() == 0);
        at::Tensor same = at::zeros({2}).set_requires_grad(true);
        try {
            DataParallel parallel({{"a.weight", a}, {"b.bias", b}, {"same", same}}, {}, communicator);
            FAIL() << "differing shapes were accepted";
        } catch (const DistributedOperationError& error) {
            EXPECT_NE(std::string(error.what()).find("a.weight"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("b.bias"), std::string::npos) << error.what();
        }
    });
}

TEST(DataParallel, RefusesWhatItCannotTrain) {
    auto alone = World::connect({}, "cpu");
    std::vector<int> ranks{0};
    auto communicator = alone->group(ranks, "data");
    at::Tensor leaf = at::zeros({2}).set_requires_grad(true), computed = leaf * 2;
    EXPECT_THROW(DataParallel({{"frozen", at::zeros({2})}}, {}, *communicator), UserError);
    EXPECT_THROW(DataParallel({{"computed", computed}}, {}, *communicator), UserError);
    DataParallelOptions options;
    options.bucket_cap_mb = 0;
    EXPECT_THROW(DataParallel({{"leaf", leaf}}, {}, *communicator, options), UserError);
}

TEST(DataParallel, OneRankIsUntouched) {
    auto alone = World::connect({}, "cpu");
    std::vector<int> ranks{0};
    auto communicator = alone->group(ranks, "data");
    SmallModule mine(1), plain(1);
    DataParallel parallel(mine.parameters(), mine.buffers(), *communicator);
    parallel.forward([&] { return mine.loss(joined_batch(4, 0), false); }).backward();
    plain.loss(joined_batch(4, 0), false).backward();
    EXPECT_EQ(distance(mine, plain), 0);
}

TEST(DataParallel, AnExceptionBeforeAnythingWasSentLeavesTheNextStepWhole) {
    struct Breaks : torch::autograd::Function<Breaks> {
        static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) { return x.clone(); }
        static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                       torch::autograd::variable_list) {
            throw std::runtime_error("broken in backward");
        }
    };
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1), alone(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        at::Tensor x = share(joined_batch(4, 0), communicator.rank(), 2);
        at::Tensor broken = at::linear(Breaks::apply(at::linear(x, mine.first)), mine.second).sum() + mine.spare.sum();
        EXPECT_THROW(broken.backward(), std::runtime_error);
        mine.zero_grad();
        mine.loss(x).backward();
        alone.loss(joined_batch(4, 0)).backward();
        EXPECT_LT(distance(mine, alone), 1e-5);
    });
}

TEST(DataParallel, AnExceptionAfterBucketsWereSentIsNotForgotten) {
    struct Breaks : torch::autograd::Function<Breaks> {
        static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) { return x.clone(); }
        static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                       torch::autograd::variable_list) {
            throw std::runtime_error("broken in backward");
        }
    };
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator, small_buckets(false));
        at::Tensor x = joined_batch(2, 0);
        at::Tensor hidden = Breaks::apply(at::tanh(at::linear(x, mine.first, mine.first_bias)));
        at::Tensor loss = at::linear(at::tanh(at::linear(hidden, mine.second, mine.second_bias)), mine.spare).sum();
        EXPECT_THROW(loss.backward(), std::runtime_error);
        EXPECT_THROW(parallel.before_forward(), UserError);
    });
}

TEST(DataParallel, ARankWhoseBackwardFailsLosesThePeersAtOnceWhenItLeaves) {
    // The failing rank gives its communicator up, as an ending process does; the other must not wait for its time-out of a minute.
    std::atomic<bool> lost = false;
    over_ranks(2, [&](Communicator& communicator) {
        SmallModule mine(1);
        DataParallel parallel(mine.parameters(), {}, communicator);
        if (communicator.rank() == 0)
            return;
        try {
            mine.loss(joined_batch(2, 0)).backward();
        } catch (const PeerLost&) {
            lost = true;
        }
    });
    EXPECT_TRUE(lost);
}

}  // namespace
}  // namespace trainyard::parallel
